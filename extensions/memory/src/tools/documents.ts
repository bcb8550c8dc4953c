import { followedFile } from "@openclaw/plugin-sdk/approvals";
import { defineTool } from "@openclaw/plugin-sdk/tools";
import { Type } from "typebox";
import {
  HEARTBEAT_FILE,
  IDENTITY_FILES,
  MEMORY_FILE,
  normaliseFolder,
  normalisePath,
} from "../documents/path.js";
import { DEFAULT_DEPTH, MAXIMUM_DEPTH, treeOf } from "../documents/tree.js";
import { InvalidParameterError } from "../errors.js";
import { answering, type ToolDependencies } from "./tool-context.js";

/** Maximum size of the content of one call, in bytes. */
const LARGEST_CONTENT = 262_144;

const TARGETS: Readonly<Record<string, string>> = {
  memory: MEMORY_FILE,
  heartbeat: HEARTBEAT_FILE,
};

const readParameters = Type.Object(
  { path: Type.String({ minLength: 1, description: "From memory_search or memory_tree." }) },
  { additionalProperties: false },
);

/**
 * Creates the tool that reads a document (MEM-030).
 * @param dependencies - memory, and owner of the documents
 */
export function createReadTool({ services, owner }: ToolDependencies) {
  return defineTool({
    name: "memory_read",
    label: "Read memory",
    description: "Read a document of your memory.",
    parameters: readParameters,
    parallelSafe: true,
    idempotent: true,
    execute: (_id, { path }) =>
      answering(async () => {
        const { documents, notes } = await services();
        if (normalisePath(path) === HEARTBEAT_FILE) await notes.openHeartbeat(owner);
        const { id: _document, ...document } = await documents.read(owner, path);
        return document;
      }),
  });
}

const treeParameters = Type.Object(
  {
    path: Type.Optional(Type.String({ description: "Folder; default the root." })),
    depth: Type.Optional(
      Type.Integer({
        minimum: 1,
        maximum: MAXIMUM_DEPTH,
        default: DEFAULT_DEPTH,
        description: "Levels.",
      }),
    ),
  },
  { additionalProperties: false },
);

/**
 * Creates the tool that lists documents (MEM-030).
 * @param dependencies - memory, and owner of the documents
 */
export function createTreeTool({ services, owner }: ToolDependencies) {
  return defineTool({
    name: "memory_tree",
    label: "List memory",
    description: "List the documents of your memory with size and time.",
    parameters: treeParameters,
    parallelSafe: true,
    idempotent: true,
    execute: (_id, { path = "", depth = DEFAULT_DEPTH }) =>
      answering(async () => {
        const { documents } = await services();
        const folder = normaliseFolder(path);
        return {
          path: folder,
          entries: treeOf(await documents.list(owner, folder), folder, depth),
        };
      }),
  });
}

const writeParameters = Type.Object(
  {
    content: Type.String({ minLength: 1, description: "Markdown." }),
    target: Type.Optional(
      Type.String({
        default: "daily_log",
        description: "`daily_log`, `memory` (MEMORY.md), `heartbeat` (its tasks), or a path.",
      }),
    ),
    append: Type.Optional(
      Type.Boolean({
        default: true,
        description: "False replaces the document, except the daily log.",
      }),
    ),
  },
  { additionalProperties: false },
);

/**
 * Creates the tool that writes documents (MEM-031). A file that describes the agent or its user needs approval.
 * @param dependencies - memory, and owner of the documents
 */
export function createWriteTool({
  services,
  owner,
  allowIdentityWrites,
  origin,
}: ToolDependencies) {
  return defineTool({
    name: "memory_write",
    label: "Write memory",
    description:
      "Store facts and decisions that matter later, not the conversation itself. `memory` is for what stays true.",
    parameters: writeParameters,
    approval({ target = "daily_log" }) {
      const path = pathOf(target);
      if (allowIdentityWrites || path === undefined || !isFollowed(path)) return "never";
      return {
        need: "always",
        description: `Change ${path}, which the agent follows as instructions.`,
      };
    },
    execute: (_id, { content, target = "daily_log", append = true }) =>
      answering(async () => {
        const bytes = Buffer.byteLength(content);
        if (bytes > LARGEST_CONTENT) {
          throw new InvalidParameterError(
            "content",
            `expected at most ${LARGEST_CONTENT} bytes, got ${bytes}; divide it into several documents`,
          );
        }
        if (content.trim() === "") {
          throw new InvalidParameterError("content", "expected a text, got only white space");
        }
        const { documents, notes } = await services();
        const label = origin();
        const labelled = label === undefined ? content : `${content.trimEnd()} [${label}]`;
        if (target === "daily_log") return await notes.log(owner, labelled);
        if (target === "heartbeat" && append) await notes.openHeartbeat(owner);
        const path = TARGETS[target] ?? normalisePath(target, "target");
        // An approver has read what a followed document will say.
        const text = isFollowed(path) ? content : labelled;
        return await documents.write(owner, { path, content: text, append });
      }),
  });
}

/** Documents that agents follow, in any spelling (APPR-280). Below a folder a document is a note, whatever its name is. */
function isFollowed(path: string): boolean {
  return IDENTITY_FILES.has(path) || (!path.includes("/") && followedFile(path) !== undefined);
}

/** Returns undefined for a target that the tool rejects. */
function pathOf(target: string): string | undefined {
  if (Object.hasOwn(TARGETS, target)) return TARGETS[target];
  try {
    return normalisePath(target, "target");
  } catch {
    return undefined;
  }
}
