import { type Static, Type } from "typebox";
import type { Immutable } from "../definition/immutable.js";
import { defineMethod } from "../definition/method.js";
import { methodTable } from "../definition/method-table.js";

const closed = { additionalProperties: false };
const time = (description: string) =>
  Type.Integer({ minimum: 0, description: `${description}, in milliseconds since the epoch.` });
const count = (description: string) => Type.Optional(Type.Integer({ minimum: 0, description }));
const revision = (description: string) => Type.Optional(Type.String({ description }));

const summary = Type.Object(
  {
    nodeId: Type.String({ description: "ID of the process; each start has another one." }),
    name: Type.String({ description: "Machine and process, for example `server-1-4711`." }),
    version: Type.String(),
    state: Type.Enum(["active", "draining", "gone"], {
      description:
        "`draining`: it takes no new turns. `gone`: it has not reported for 10 seconds, and others have its work.",
    }),
    isSelf: Type.Boolean({ description: "True for the node that answers." }),
    isLeading: Type.Boolean({
      description: "True for the node that does what is done once for all.",
    }),
    url: Type.Optional(Type.String({ description: "URL at which the node itself listens." })),
    turns: count("Turns that run or wait on the node."),
    sessions: count("Sessions that the node has."),
    startedAt: time("Time of its start"),
    seenAt: time("Time of its last report"),
    revisions: Type.Object(
      {
        configuration: revision("Hash of its configuration."),
        plugins: revision("Hash of its plugins with their versions."),
        policy: revision("Hash of its tool policy."),
      },
      { description: "What its turns run with (SCALE-022)." },
    ),
    differs: Type.Array(Type.Enum(["version", "configuration", "plugins", "policy"]), {
      description: "What most live nodes have in another form than this one.",
    }),
  },
  { title: "NodeSummary" },
);

/** A gateway that works on a database with others. */
export type NodeSummary = Immutable<Static<typeof summary>>;

const node = Type.Object(
  {
    nodeId: Type.String({
      minLength: 4,
      maxLength: 200,
      description: "ID of the node, at least its last 4 characters, or its name.",
    }),
  },
  closed,
);

/** The methods of the nodes of a database (SCALE-510). */
export const nodeMethods = methodTable(
  defineMethod({
    name: "nodes.list",
    summary: "Lists the gateways that share the database, with their work and their differences.",
    params: Type.Object({}, closed),
    result: Type.Object({
      isShared: Type.Boolean({
        description: "False for a gateway that has its database alone, and then lists no node.",
      }),
      nodes: Type.Array(summary, { description: "Oldest first." }),
    }),
    errors: [],
    scope: "operator.read",
    effect: "read",
  }),
  defineMethod({
    name: "nodes.drain",
    summary:
      "Lets a node take no new turns: it ends those that run, and hands the others over to other nodes.",
    params: node,
    result: summary,
    errors: ["NODE_NOT_FOUND", "LAST_NODE"],
    scope: "operator.admin",
    effect: "write",
    idempotency: "repeatable",
  }),
  defineMethod({
    name: "nodes.resume",
    summary: "Lets a drained node take turns again.",
    params: node,
    result: summary,
    errors: ["NODE_NOT_FOUND"],
    scope: "operator.admin",
    effect: "write",
    idempotency: "repeatable",
  }),
);
