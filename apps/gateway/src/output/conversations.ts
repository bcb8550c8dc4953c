import { Type } from "typebox";
import { type CommandOutputs, document, path, resultOf, time } from "./command-output.js";

const session = Type.Object({
  sessionKey: Type.String(),
  sessionId: Type.String(),
  agentId: Type.String(),
  createdAt: time,
  updatedAt: time,
  messageCount: Type.Integer(),
});

const sessionArchive = Type.Object(
  {},
  { description: "Document for `sessions import`; its content follows the version of the store." },
);

const { displayName, description, risk, tags, optional } =
  resultOf("tools.catalog").properties.tools.items.properties;
const toolMetadata = { displayName, description, risk, tags, optional };

/** Outputs of the commands about conversations, runs and tools. */
export const conversationOutputs: CommandOutputs = {
  "jobs list": document(resultOf("jobs.list")),
  "jobs show": document(resultOf("jobs.get")),
  "jobs log": document(resultOf("jobs.events")),
  "jobs create": document(resultOf("jobs.create")),
  "jobs runtimes": document(resultOf("jobs.runtimes")),
  "jobs diff": document(resultOf("jobs.diff")),
  "jobs apply": document(resultOf("jobs.apply")),
  "jobs gc": document(resultOf("jobs.gc")),
  "jobs cancel": document(resultOf("jobs.cancel")),
  "jobs restart": document(resultOf("jobs.restart")),
  "jobs accept": document(resultOf("jobs.accept")),
  "jobs continue": document(resultOf("jobs.continue")),
  "jobs prompt": document(resultOf("jobs.prompt")),
  "jobs files": document(resultOf("jobs.files")),
  "jobs file": document(resultOf("jobs.file")),
  "heartbeat status": document(resultOf("heartbeat.status")),
  "heartbeat run": document(resultOf("heartbeat.run")),
  "heartbeat enable": document(resultOf("heartbeat.status")),
  "heartbeat disable": document(resultOf("heartbeat.status")),
  "cron list": document(resultOf("cron.list")),
  "cron add": document(Type.Union([resultOf("cron.add"), resultOf("cron.preview")])),
  "cron import": document(
    Type.Object({
      dryRun: Type.Boolean(),
      imported: Type.Array(
        Type.Object({
          from: Type.String({ description: "Name or ID of the job." }),
          name: Type.String({ description: "Name of the routine." }),
          schedule: Type.String({ description: "Its schedule in plain words." }),
          notes: Type.Array(Type.String(), { description: "What the routine does not have." }),
        }),
      ),
      left: Type.Array(Type.Object({ from: Type.String(), reason: Type.String() }), {
        description: "Jobs that were not imported.",
      }),
    }),
  ),
  "cron edit": document(resultOf("cron.update")),
  "cron show": document(resultOf("cron.get")),
  "cron next": document(resultOf("cron.get")),
  "cron why": document(resultOf("cron.why")),
  "cron runs": document(resultOf("cron.runs")),
  "cron enable": document(resultOf("cron.update")),
  "cron disable": document(resultOf("cron.update")),
  "cron run": document(resultOf("cron.run")),
  "cron rm": document(resultOf("cron.remove")),
  chat: document(
    Type.Union([
      Type.Object({
        ok: Type.Literal(true),
        session: Type.String(),
        text: Type.String(),
        model: Type.Optional(
          Type.String({ description: "`demo/echo` is a scripted stand-in, not a language model." }),
        ),
        unapprovedTools: Type.Optional(
          Type.Array(Type.String(), {
            description:
              "Tools of which a call was denied because no approver decided about it; the exit code is then 77.",
          }),
        ),
        usage: Type.Optional(
          Type.Object({
            input: Type.Integer(),
            output: Type.Integer(),
            total: Type.Integer(),
            cost: Type.Optional(
              Type.Object({
                usd: Type.String({ description: "US dollars as a decimal number, exact." }),
                estimated: Type.Boolean(),
              }),
            ),
          }),
        ),
      }),
      Type.Object({
        ok: Type.Literal(false),
        session: Type.String(),
        problem: Type.String(),
        code: Type.Optional(Type.String()),
        isUnsent: Type.Optional(Type.Boolean()),
      }),
    ]),
  ),
  "sessions list": document(Type.Object({ sessions: Type.Array(session) })),
  "sessions show": document(
    Type.Object({
      session,
      messages: Type.Array(Type.Object({ createdAt: time, message: Type.Object({}) })),
    }),
  ),
  "sessions delete": document(resultOf("sessions.delete")),
  "sessions export": document(
    Type.Union([
      Type.Object({ sessionKey: Type.String(), file: path }, { additionalProperties: false }),
      sessionArchive,
    ]),
  ),
  "sessions import": document(Type.Object({ sessionKey: Type.String() })),
  "skills list": document(
    Type.Object({ agent: Type.String(), ...resultOf("skills.list").properties }),
  ),
  "skills search": document(resultOf("skills.search")),
  "skills install": document(resultOf("skills.install")),
  "skills update": document(resultOf("skills.update")),
  "skills remove": document(resultOf("skills.remove")),
  "tool list": document(
    Type.Union([
      Type.Object({
        agent: Type.String(),
        tools: Type.Array(
          Type.Object({
            name: Type.String(),
            pluginId: Type.Optional(Type.String()),
            ...toolMetadata,
            kind: Type.Optional(Type.Enum(["mcp", "wasm"])),
            capabilities: Type.Optional(Type.Array(Type.String())),
            allowed: Type.Boolean(),
            decidedBy: Type.Optional(resultOf("policy.explain").properties.decidedBy),
            unavailable: Type.Optional(
              Type.String({
                description: "Reason why the tool is not offered, and the next step.",
              }),
            ),
          }),
        ),
      }),
      Type.Object(
        {
          agent: Type.String(),
          tools: Type.Array(
            Type.Object({
              name: Type.String(),
              pluginId: Type.Optional(Type.String()),
              mcpServer: Type.Optional(Type.String()),
              isDeferred: Type.Optional(
                Type.Boolean({ description: "True when it costs tokens only once it is loaded." }),
              ),
              tokens: Type.Integer({ description: "Tokens in each request, estimated." }),
            }),
          ),
          servers: Type.Array(
            Type.Object({
              server: Type.String(),
              tools: Type.Integer({ description: "Number of its tools." }),
              tokens: Type.Integer({ description: "Tokens of their definitions, estimated." }),
            }),
          ),
          total: Type.Integer(),
        },
        { description: "With `--cost`." },
      ),
    ]),
  ),
  "tool info": document(
    Type.Object({
      name: Type.String(),
      pluginId: Type.Optional(Type.String()),
      policy: Type.Optional(resultOf("policy.explain")),
      notOffered: Type.Optional(
        Type.String({
          description: "Reason why models do not get it, although policy does not deny it.",
        }),
      ),
      metadata: Type.Optional(Type.Object(toolMetadata)),
      description: Type.Optional(Type.String()),
      parameters: Type.Optional(Type.Object({}, { description: "JSON Schema." })),
    }),
  ),
  "tool run": document(resultOf("tools.invoke")),
  trace: document(resultOf("run.trace")),
  replay: document(
    Type.Union([
      Type.Object({ saved: path }),
      Type.Object({ status: Type.Literal("identical"), steps: Type.Integer() }),
      Type.Object({
        status: Type.Literal("diverged"),
        divergence: Type.Object({
          step: Type.Integer(),
          expected: Type.Optional(Type.Object({ kind: Type.String() })),
          got: Type.Optional(Type.Object({ kind: Type.String() })),
        }),
      }),
    ]),
  ),
};
