import { Type } from "typebox";
import { defineMethod } from "../definition/method.js";
import { methodTable } from "../definition/method-table.js";

const closed = { additionalProperties: false };
const agentId = Type.Optional(
  Type.String({
    minLength: 1,
    maxLength: 128,
    description: "Agent; the default agent when absent.",
  }),
);
const path = Type.String({ minLength: 1, maxLength: 1024, description: "Path of the document." });
const time = (description: string) => Type.String({ description: `${description}, in ISO 8601.` });
const errors = [
  "MEMORY_UNAVAILABLE",
  "MEMORY_CALL_FAILED",
  "MODEL_NOT_FOUND",
  "MODEL_PROVIDER_NOT_READY",
] as const;

/**
 * The methods of the memory: what the plugin in the memory slot offers to models as tools, for the operator. Calls pass the
 * checks of the calls of models: policy, hooks, approval and safety (GW-028).
 */
export const memoryMethods = methodTable(
  defineMethod({
    name: "memory.search",
    summary: "Searches the documents of the operator by meaning and by words, best first (GW-028).",
    params: Type.Object(
      {
        query: Type.String({ minLength: 1, maxLength: 10_000 }),
        limit: Type.Optional(Type.Integer({ minimum: 1, maximum: 50 })),
        path: Type.Optional(Type.String({ description: "Folder or document to search in." })),
        agentId,
      },
      closed,
    ),
    result: Type.Object({
      hits: Type.Array(
        Type.Object({
          path: Type.String(),
          text: Type.String(),
          score: Type.Number(),
          similarity: Type.Optional(Type.Number()),
          match: Type.Optional(Type.Number()),
          coverage: Type.Optional(Type.Number()),
        }),
      ),
      mode: Type.String({ description: "Kinds of search that were used, for example `hybrid`." }),
      notes: Type.Optional(Type.Array(Type.String())),
    }),
    errors,
    scope: "operator.read",
    effect: "read",
  }),
  defineMethod({
    name: "memory.read",
    summary: "Returns a document of the operator's memory (GW-028).",
    params: Type.Object({ path, agentId }, closed),
    result: Type.Object({
      path: Type.String(),
      content: Type.String(),
      createdAt: Type.Optional(time("Time of the creation")),
      updatedAt: Type.Optional(time("Time of the last change")),
    }),
    errors,
    scope: "operator.read",
    effect: "read",
  }),
  defineMethod({
    name: "memory.write",
    summary:
      "Writes to a document of the operator's memory (GW-028). A document that the agent follows as instructions needs an approval.",
    params: Type.Object(
      {
        content: Type.String({ minLength: 1, description: "Text to store, as Markdown." }),
        target: Type.Optional(
          Type.String({
            minLength: 1,
            maxLength: 1024,
            description: "`daily_log` (default), `memory`, `heartbeat`, or the path of a document.",
          }),
        ),
        append: Type.Optional(
          Type.Boolean({
            description: "True (default) adds the text, false replaces the document.",
          }),
        ),
        agentId,
      },
      closed,
    ),
    result: Type.Object({
      path: Type.String(),
      created: Type.Optional(Type.Boolean({ description: "True for a new document." })),
      changed: Type.Optional(Type.Boolean({ description: "False when it had the content." })),
    }),
    errors,
    scope: "operator.write",
    effect: "write",
  }),
  defineMethod({
    name: "memory.tree",
    summary: "Lists documents and folders of the operator's memory (GW-028).",
    params: Type.Object(
      {
        path: Type.Optional(Type.String({ description: "Folder to list; the root when absent." })),
        depth: Type.Optional(Type.Integer({ minimum: 1, maximum: 10 })),
        agentId,
      },
      closed,
    ),
    result: Type.Object({
      path: Type.String(),
      entries: Type.Array(Type.Record(Type.String(), Type.Unknown()), {
        description: "Name, path, kind, bytes and time of each, folders with their `entries`.",
      }),
    }),
    errors,
    scope: "operator.read",
    effect: "read",
  }),
);
