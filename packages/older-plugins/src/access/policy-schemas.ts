import { z } from "zod";

/** Policy of direct messages, as a Zod schema. */
export const DmPolicySchema = z.enum(["pairing", "allowlist", "open", "disabled"]);

/** Policy of groups, as a Zod schema. */
export const GroupPolicySchema = z.enum(["open", "disabled", "allowlist"]);

/** Form in which Markdown is shown, as a Zod schema. */
export const MarkdownConfigSchema = z
  .strictObject({ tables: z.enum(["off", "bullets", "code", "block"]).optional() })
  .optional();

/** Tools of a group, as a Zod schema. */
export const ToolPolicySchema = z
  .strictObject({
    allow: z.array(z.string()).optional(),
    alsoAllow: z.array(z.string()).optional(),
    deny: z.array(z.string()).optional(),
  })
  .optional();

/** Messages that are sent together, as a Zod schema. */
export const BlockStreamingCoalesceSchema = z.strictObject({
  minChars: z.number().int().positive().optional(),
  maxChars: z.number().int().positive().optional(),
  idleMs: z.number().int().nonnegative().optional(),
});

const HISTORY = z.number().int().min(0).optional();

/** Settings of replies, as fields of a Zod schema. */
export const ReplyRuntimeConfigSchemaShape = {
  historyLimit: HISTORY,
  dmHistoryLimit: HISTORY,
  contextVisibility: z.enum(["all", "allowlist", "allowlist_quote"]).optional(),
  dms: z.record(z.string(), z.strictObject({ historyLimit: HISTORY }).optional()).optional(),
  textChunkLimit: z.number().int().positive().optional(),
  chunkMode: z.enum(["length", "newline"]).optional(),
  blockStreaming: z.boolean().optional(),
  blockStreamingCoalesce: BlockStreamingCoalesceSchema.optional(),
  streaming: z.unknown().optional(),
  responsePrefix: z.string().optional(),
  mediaMaxMb: z.number().positive().optional(),
};

/** Parts of a refinement that {@link requireOpenAllowFrom} uses. */
interface RefinementContext {
  addIssue(issue: { code: "custom"; path: (string | number)[]; message: string }): void;
}

/**
 * Reports a section that is open to everyone without the entry `*` in its access list.
 * @param section - policy, access list, and where to report
 */
export function requireOpenAllowFrom(section: {
  readonly policy?: string;
  readonly allowFrom?: readonly (string | number)[];
  readonly ctx: RefinementContext;
  readonly path: readonly (string | number)[];
  readonly message: string;
}): void {
  const { policy, allowFrom = [], ctx, path, message } = section;
  if (policy !== "open" || allowFrom.some((entry) => String(entry).trim() === "*")) return;
  ctx.addIssue({ code: "custom", path: [...path], message });
}

/** Returns the schema of a secret: a text, or a reference to one. */
export function secretInputSchema() {
  const reference = z.strictObject({
    source: z.enum(["env", "file", "exec", "store"]),
    provider: z.string(),
    id: z.string().min(1),
  });
  return z.union([z.string(), reference]);
}
