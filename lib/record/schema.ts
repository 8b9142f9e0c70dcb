/** "BATL" in ASCII, SQLite's `application_id`: tells a record from any other SQLite file. */
export const APPLICATION_ID = 0x4241544c;

/** SQLite's `user_version`. Rises with every change that an older reader would misread. */
export const SCHEMA_VERSION = 1;

/** README.md beside this file says what each column means. JSON columns are text; dates are ISO 8601 in UTC. */
export const SCHEMA = `
CREATE TABLE start (
  id INTEGER PRIMARY KEY, at TEXT NOT NULL, pid INTEGER NOT NULL, host TEXT NOT NULL, boot TEXT NOT NULL,
  purpose TEXT NOT NULL, code_hash TEXT NOT NULL, model_hashes TEXT NOT NULL, ended_at TEXT, ended TEXT
);
CREATE TABLE design (
  id INTEGER PRIMARY KEY, at TEXT NOT NULL, name TEXT NOT NULL, sha256 TEXT NOT NULL, json TEXT NOT NULL,
  added_later INTEGER NOT NULL, UNIQUE (name, sha256)
);
CREATE TABLE guess (
  id INTEGER PRIMARY KEY, at TEXT NOT NULL, key TEXT NOT NULL, author TEXT NOT NULL, text TEXT NOT NULL,
  value TEXT NOT NULL, sha256 TEXT NOT NULL, added_later INTEGER NOT NULL
);
CREATE TABLE environment (
  id INTEGER PRIMARY KEY, start_id INTEGER NOT NULL REFERENCES start (id), at TEXT NOT NULL, json TEXT NOT NULL
);
CREATE TABLE model (
  name TEXT PRIMARY KEY, at TEXT NOT NULL, sha256 TEXT NOT NULL, average_precision REAL, bits TEXT, json TEXT NOT NULL
);
CREATE TABLE model_alone (
  id INTEGER PRIMARY KEY, start_id INTEGER NOT NULL REFERENCES start (id), at TEXT NOT NULL, model TEXT NOT NULL,
  round INTEGER NOT NULL, pid INTEGER NOT NULL, sizes TEXT NOT NULL, budget_ms REAL NOT NULL, quiet TEXT NOT NULL,
  canary_before_ns REAL, canary_after_ns REAL, UNIQUE (model, round)
);
CREATE TABLE model_alone_size (
  round_id INTEGER NOT NULL REFERENCES model_alone (id), size INTEGER NOT NULL, calls INTEGER NOT NULL,
  min_ns REAL NOT NULL, p25_ns REAL NOT NULL, p50_ns REAL NOT NULL, p75_ns REAL NOT NULL, p99_ns REAL NOT NULL,
  mean_ns REAL NOT NULL, PRIMARY KEY (round_id, size)
);
CREATE TABLE bit_check (
  id INTEGER PRIMARY KEY, start_id INTEGER NOT NULL REFERENCES start (id), at TEXT NOT NULL, model TEXT NOT NULL,
  model_sha256 TEXT NOT NULL, threads INTEGER NOT NULL, rows INTEGER NOT NULL, distinct_scores INTEGER NOT NULL,
  identical INTEGER NOT NULL, UNIQUE (model, threads)
);
CREATE TABLE bit_check_size (
  check_id INTEGER NOT NULL REFERENCES bit_check (id), size INTEGER NOT NULL, differing_rows INTEGER NOT NULL,
  max_ulp INTEGER NOT NULL, max_abs REAL NOT NULL, PRIMARY KEY (check_id, size)
);
CREATE TABLE single_score (
  id INTEGER PRIMARY KEY, model TEXT NOT NULL, model_sha256 TEXT NOT NULL, length INTEGER NOT NULL, data BLOB NOT NULL,
  UNIQUE (model, model_sha256)
);
CREATE TABLE arrivals (
  id INTEGER PRIMARY KEY, sha256 TEXT NOT NULL UNIQUE, seed INTEGER NOT NULL, length INTEGER NOT NULL, data BLOB NOT NULL
);
CREATE TABLE run (
  id INTEGER PRIMARY KEY, start_id INTEGER NOT NULL REFERENCES start (id), slot TEXT NOT NULL, attempt INTEGER NOT NULL,
  state TEXT NOT NULL CHECK (state IN ('started', 'finished', 'failed', 'interrupted')),
  kind TEXT NOT NULL CHECK (kind IN ('closed', 'open')), model TEXT NOT NULL, setting TEXT NOT NULL,
  role TEXT NOT NULL CHECK (role IN ('setting', 'aa', 'control', 'pace')), round INTEGER NOT NULL, position INTEGER NOT NULL,
  rate_multiple REAL, rate_per_second REAL, saturation_per_second REAL, seed INTEGER NOT NULL, seconds REAL NOT NULL,
  connections INTEGER NOT NULL, topology TEXT NOT NULL, service_pin TEXT, client_pin TEXT,
  began_at TEXT NOT NULL, ended_at TEXT, epoch_ns TEXT,
  quiet INTEGER, quiet_idle_share REAL, quiet_waited_ms REAL, quiet_json TEXT,
  canary_before_ns REAL, canary_after_ns REAL, canary_drift REAL, drifted INTEGER, steal_share REAL,
  verdict TEXT, reasons TEXT, scheduled INTEGER, answered INTEGER, failed INTEGER, timed_out INTEGER, unsent INTEGER,
  differing INTEGER, max_ulp INTEGER, service_cpu_us REAL, client_cpu_us REAL, service_rss_bytes REAL,
  client_rss_bytes REAL, service_pid INTEGER, client_pid INTEGER, arrivals_id INTEGER REFERENCES arrivals (id),
  single_score_id INTEGER REFERENCES single_score (id), summary TEXT, errors TEXT, timing_ms TEXT, UNIQUE (slot, attempt)
);
CREATE INDEX run_by_kind ON run (kind, model, round, position);
CREATE TABLE run_column (
  run_id INTEGER NOT NULL REFERENCES run (id), family TEXT NOT NULL CHECK (family IN ('request', 'batch', 'stamp')),
  name TEXT NOT NULL, type TEXT NOT NULL, length INTEGER NOT NULL, data BLOB NOT NULL, UNIQUE (run_id, family, name)
);
CREATE TABLE progress (id INTEGER PRIMARY KEY, start_id INTEGER NOT NULL REFERENCES start (id), at TEXT NOT NULL, text TEXT NOT NULL);
CREATE TABLE note (
  id INTEGER PRIMARY KEY, start_id INTEGER REFERENCES start (id), at TEXT NOT NULL, kind TEXT NOT NULL, text TEXT NOT NULL,
  added_later INTEGER NOT NULL
);
`;
