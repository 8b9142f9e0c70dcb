import { z } from "zod";

/** A box's name goes into tags, file names and paths on the machine, so it is kept to what is plain in all of them. */
export const BOX_NAME = /^[a-z0-9][a-z0-9-]{0,30}$/;

const at = z.iso.datetime();
const sha256 = z.string().regex(/^[0-9a-f]{64}$/);

/** How to log in, and which key the machine must show. */
const login = z.object({
	user: z.string(),
	host: z.string(),
	port: z.int().min(1).max(65_535),
	/** Absent until the key is pinned. */
	hostKey: z
		.object({
			fingerprint: z.string(),
			/** `console` = printed by the machine itself, `given` = matched the user's own, `first-use` = taken on trust. */
			source: z.enum(["console", "given", "first-use"]),
		})
		.optional(),
});

/**
 * What is known about one box, as it lies on disk. A section is there once its step has begun; nothing in it is secret.
 * What is about to be asked of a cloud is written before it is asked, so that a lost answer can be looked up.
 */
export const boxStateSchema = z.object({
	version: z.literal(1),
	name: z.string().regex(BOX_NAME),
	provider: z.enum(["ec2", "ssh"]),
	createdAt: at,
	region: z.string().optional(),
	check: z.object({ at }).optional(),
	access: z.object({ at, groupId: z.string().optional(), address: z.string(), open: z.boolean() }).optional(),
	launch: z
		.object({
			at,
			/** Makes a repeated request return the same machine instead of a second one. */
			clientToken: z.string(),
			imageId: z.string(),
			imageName: z.string(),
			instanceType: z.string(),
			maxHours: z.number(),
			/** Rented by a state that is lost, and found by its tags: what it holds is not known. */
			adopted: z.boolean().optional(),
			instanceId: z.string().optional(),
			endedAt: at.optional(),
		})
		.optional(),
	login: login.optional(),
	wait: z.object({ at }).optional(),
	setup: z
		.object({ at, node: z.string(), architecture: z.string(), files: z.int(), commit: z.string(), changed: z.int() })
		.optional(),
	verify: z.object({ at, files: z.int(), digest: sha256 }).optional(),
	quiet: z.object({ at, stopped: z.array(z.string()) }).optional(),
	start: z
		.object({
			/** Chosen here before the box hears of it. */
			id: z.string(),
			at,
			profile: z.string(),
			/** Asked for beside a run that has finished: so it must be asked for again, should the answer be lost. */
			again: z.boolean().optional(),
			/** True once the box has said that it runs. */
			confirmed: z.boolean(),
			/** Exit code, once known. -1: it died without one. */
			exitCode: z.int().optional(),
		})
		.optional(),
	demo: z.object({ at }).optional(),
	fetch: z
		.object({ at, startId: z.string(), folder: z.string(), files: z.int(), bytes: z.int(), digest: sha256 })
		.optional(),
	report: z.object({ at, folder: z.string(), sameAsBox: z.boolean() }).optional(),
	teardown: z.object({ at }).optional(),
});

export type BoxState = Readonly<z.infer<typeof boxStateSchema>>;
export type Login = Readonly<z.infer<typeof login>>;
export type Provider = BoxState["provider"];
