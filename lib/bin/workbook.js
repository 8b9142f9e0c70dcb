#!/usr/bin/env node
// A committed file, so that npm can link the command before the library is compiled.
await import("../dist/cli/main.js");
