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
const documentPath = { minLength: 1, maxLength: 1024 };
const path = Type.String({ ...documentPath, description: "Path of the document." });
const space = Type.String({ minLength: 1, maxLength: 200, description: "Name of the space." });
const connectionType = Type.Enum(["updates", "extends", "derives"], {
  description: "`updates`: the source replaces the target.",
});
const connection = Type.Object({
  id: Type.String(),
  sourcePath: Type.String(),
  targetPath: Type.String(),
  type: Type.String({ description: "`updates`, `extends` or `derives`." }),
  strength: Type.Number({ description: "From 0 to 1." }),
});
const fact = Type.Object({
  key: Type.String(),
  value: Type.String(),
  type: Type.String({
    description: "`static` for what stays true, `dynamic` for the current situation.",
  }),
  confidence: Type.Number({ description: "From 0 to 1." }),
  source: Type.String({ description: "Who said it, for example `user_stated`." }),
  updatedAt: Type.String(),
});
const key = Type.String({ minLength: 1, maxLength: 200, description: "Key of the fact." });

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
        space: Type.Optional(space),
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
          fullTextRank: Type.Optional(
            Type.Integer({ description: "Its place among the hits by words." }),
          ),
          vectorRank: Type.Optional(
            Type.Integer({ description: "Its place among the hits by meaning." }),
          ),
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
      sourceUrl: Type.Optional(Type.String({ description: "Source of the content." })),
      importance: Type.Optional(Type.Number({ description: "From 0 to 1." })),
      tags: Type.Optional(Type.Array(Type.String())),
      accessCount: Type.Optional(Type.Integer({ description: "Number of times it was read." })),
      isFollowed: Type.Boolean({
        description: "True when the agent follows it as instructions; a change needs an approval.",
      }),
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
        description: "Name, path, kind, bytes and time of each, folders with the entries in them.",
      }),
      followed: Type.Array(Type.String(), {
        description:
          "Names of documents at the root that agents follow as instructions; writing one needs an approval.",
      }),
    }),
    errors,
    scope: "operator.read",
    effect: "read",
  }),
  defineMethod({
    name: "memory.connections",
    summary: "Lists the connections between documents of the operator's memory (UI-563).",
    params: Type.Object({ path: Type.Optional(path), agentId }, closed),
    result: Type.Object({ connections: Type.Array(connection) }),
    errors,
    scope: "operator.read",
    effect: "read",
  }),
  defineMethod({
    name: "memory.connect",
    summary: "Connects two documents of the operator's memory (UI-563).",
    params: Type.Object(
      {
        source: Type.String({ ...documentPath, description: "Path of the newer document." }),
        target: Type.String({ ...documentPath, description: "Path of the older document." }),
        type: connectionType,
        agentId,
      },
      closed,
    ),
    result: connection,
    errors,
    scope: "operator.write",
    effect: "write",
  }),
  defineMethod({
    name: "memory.disconnect",
    summary: "Deletes a connection of the operator's memory (UI-563).",
    params: Type.Object(
      { connectionId: Type.String({ minLength: 1, maxLength: 200 }), agentId },
      closed,
    ),
    result: Type.Object({ deleted: Type.String() }),
    errors,
    scope: "operator.write",
    effect: "write",
  }),
  defineMethod({
    name: "memory.spaces",
    summary: "Lists the spaces of the operator's memory, which group documents (UI-563).",
    params: Type.Object({ agentId }, closed),
    result: Type.Object({
      spaces: Type.Array(
        Type.Object({
          name: Type.String(),
          description: Type.String(),
          documents: Type.Integer({ description: "Number of its documents." }),
        }),
      ),
    }),
    errors,
    scope: "operator.read",
    effect: "read",
  }),
  defineMethod({
    name: "memory.space",
    summary: "Returns the paths of the documents in a space (UI-563).",
    params: Type.Object({ space, agentId }, closed),
    result: Type.Object({ documents: Type.Array(Type.String()) }),
    errors,
    scope: "operator.read",
    effect: "read",
  }),
  defineMethod({
    name: "memory.createSpace",
    summary: "Creates a space (UI-563).",
    params: Type.Object(
      {
        space,
        description: Type.Optional(Type.String({ maxLength: 2000, description: "Its purpose." })),
        agentId,
      },
      closed,
    ),
    result: Type.Object({ created: Type.String() }),
    errors,
    scope: "operator.write",
    effect: "write",
  }),
  defineMethod({
    name: "memory.deleteSpace",
    summary: "Deletes a space; its documents remain (UI-563).",
    params: Type.Object({ space, agentId }, closed),
    result: Type.Object({ deleted: Type.String() }),
    errors,
    scope: "operator.write",
    effect: "write",
  }),
  defineMethod({
    name: "memory.assign",
    summary: "Adds a document to a space, or removes it from there (UI-563).",
    params: Type.Object({ space, path, isIn: Type.Boolean(), agentId }, closed),
    result: Type.Object({ space: Type.String() }),
    errors,
    scope: "operator.write",
    effect: "write",
  }),
  defineMethod({
    name: "memory.profile",
    summary: "Lists the facts about the operator that are part of every prompt (UI-563).",
    params: Type.Object({ agentId }, closed),
    result: Type.Object({ facts: Type.Array(fact) }),
    errors,
    scope: "operator.read",
    effect: "read",
  }),
  defineMethod({
    name: "memory.setFact",
    summary: "Sets a fact about the operator (UI-563).",
    params: Type.Object(
      {
        key,
        value: Type.String({ minLength: 1, maxLength: 10_000 }),
        type: Type.Optional(Type.Enum(["static", "dynamic"])),
        agentId,
      },
      closed,
    ),
    result: fact,
    errors,
    scope: "operator.write",
    effect: "write",
  }),
  defineMethod({
    name: "memory.deleteFact",
    summary: "Deletes a fact about the operator (UI-563).",
    params: Type.Object({ key, agentId }, closed),
    result: Type.Object({ deleted: Type.String() }),
    errors,
    scope: "operator.write",
    effect: "write",
  }),
);
