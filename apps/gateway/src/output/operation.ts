import { Type } from "typebox";
import { topicList } from "../documentation/documentation.js";
import {
  type CommandOutputs,
  configurationProblem,
  document,
  path,
  resultOf,
  time,
} from "./command-output.js";

const pid = Type.Integer({ description: "Process ID of the gateway." });
const names = Type.Array(Type.String());

const tokenEntry = {
  name: Type.String(),
  scopes: names,
  expiresAt: Type.Optional(Type.String({ description: "ISO 8601." })),
};

const databaseStatus = Type.Object({
  dialect: Type.Enum(["sqlite", "libsql", "postgres"]),
  name: Type.String({ description: "Path, or URL without its password." }),
  exists: Type.Boolean(),
  bytes: Type.Optional(Type.Integer()),
  migrations: Type.Array(
    Type.Object({
      name: Type.String(),
      state: Type.Enum(["applied", "pending", "changed", "unknown"]),
      appliedAt: Type.Optional(time),
    }),
  ),
  copyingFrom: Type.Optional(Type.String({ description: "Source of an unfinished copy." })),
  lost: Type.Optional(
    Type.String({ description: "Period whose content the database lacks, with the next step." }),
  ),
});

const serverCommand = Type.Object({
  kind: Type.Literal("command"),
  command: Type.String({ description: "Command of the database server to run instead." }),
});

const described = {
  version: Type.String(),
  stateDir: path,
};

const running = Type.Object({ pid, url: Type.Optional(Type.String()) });

const usageReport = resultOf("usage.query").properties;

const controlled = document(
  Type.Object({
    done: Type.Boolean(),
    state: Type.String({ description: "State in the words of the service manager." }),
  }),
);

/** Outputs of the commands that operate a gateway. */
export const operationOutputs: CommandOutputs = {
  console: document(
    Type.Object({
      url: Type.String({ description: "Link that signs in once." }),
      expiresInMs: Type.Integer({ description: "Time in milliseconds for which it is valid." }),
    }),
  ),
  "gateway stop": document(
    Type.Union([
      Type.Object({ stopped: Type.Literal(false), running: Type.Literal(false) }),
      Type.Object({ stopped: Type.Literal(true), pid }),
    ]),
  ),
  "gateway restart": document(
    Type.Union([
      Type.Object({ restarted: Type.Literal(false), running: Type.Literal(false) }),
      Type.Object({ restarted: Type.Literal(true), pid }),
    ]),
  ),
  "gateway status": document(
    Type.Union([
      Type.Object({ running: Type.Literal(false) }),
      Type.Object({
        running: Type.Literal(true),
        pid,
        url: Type.Optional(Type.String({ description: "Absent without an HTTP server." })),
        ready: Type.Optional(Type.Boolean()),
        checks: Type.Optional(resultOf("host.health").properties.checks),
        cluster: Type.Optional(resultOf("nodes.list")),
      }),
    ]),
  ),
  "nodes list": document(resultOf("nodes.list")),
  "nodes drain": document(resultOf("nodes.drain")),
  "nodes resume": document(resultOf("nodes.resume")),
  "queue list": document(resultOf("queue.list")),
  "queue dead": document(resultOf("queue.dead")),
  "queue requeue": document(resultOf("queue.requeue")),
  "queue discard": document(resultOf("queue.discard")),
  "gateway check": document(
    Type.Object({ ready: Type.Literal(true), version: Type.String(), failedPlugins: names }),
  ),
  "gateway token create": document(
    Type.Object({
      token: Type.String({ description: "The token, which is shown only now." }),
      entry: Type.Object(tokenEntry),
      file: path,
    }),
  ),
  "gateway token list": document(
    Type.Object({
      tokens: Type.Array(Type.Object({ ...tokenEntry, isExpired: Type.Boolean() })),
    }),
  ),
  "gateway token revoke": document(Type.Object({ name: Type.String(), revoked: Type.Boolean() })),
  "gateway call": document(
    Type.Unknown({ description: "Result of the method; docs/reference/methods.md describes it." }),
  ),
  onboard: document(
    Type.Object({
      model: Type.String(),
      database: Type.Optional(Type.String()),
      service: Type.Boolean(),
      notes: names,
    }),
  ),
  trust: document(Type.Object({ dir: path, isTrusted: Type.Literal(true) })),
  status: document(
    Type.Union([
      Type.Object({
        ...described,
        running,
        status: resultOf("host.status"),
        health: resultOf("host.health"),
        usageToday: usageReport.groups,
        mcpServers: Type.Array(
          Type.Object({
            name: Type.String(),
            state: Type.Enum(["stopped", "starting", "ready", "failing", "refused"]),
            reason: Type.Optional(Type.String()),
          }),
        ),
      }),
      Type.Object({
        ...described,
        running: Type.Union([running, Type.Null()]),
        configuration: Type.Object({
          exists: Type.Boolean(),
          file: path,
          variables: names,
          errors: Type.Array(configurationProblem),
          warnings: Type.Array(configurationProblem),
        }),
        database: Type.Optional(
          Type.Union([databaseStatus, Type.Object({ problem: Type.String() })]),
        ),
        plugins: Type.Optional(Type.Object({ on: Type.Integer(), off: Type.Integer() })),
        skillsLeftOut: resultOf("host.status").properties.skillsLeftOut,
        model: Type.Optional(Type.String()),
      }),
    ]),
  ),
  doctor: document(
    Type.Object({
      passed: Type.Boolean(),
      repaired: names,
      checks: Type.Array(
        Type.Object({
          name: Type.String(),
          status: Type.Enum(["ok", "warn", "fail"]),
          message: Type.String(),
          hint: Type.Optional(Type.String()),
          isRepairable: Type.Boolean(),
        }),
      ),
    }),
  ),
  "doctor sandbox": document(
    Type.Union([
      Type.Object({ active: Type.Literal(true), notice: Type.Optional(Type.String()) }),
      Type.Object({ active: Type.Literal(false), cause: Type.String(), remedy: Type.String() }),
    ]),
  ),
  "doctor guards": document(
    Type.Union([
      Type.Object({
        paths: Type.Array(
          Type.Object({ path: Type.String(), title: Type.String(), guards: names }),
        ),
      }),
      Type.Object({
        proven: Type.Boolean(),
        results: Type.Array(
          Type.Object({
            path: Type.String(),
            title: Type.String(),
            tool: Type.String(),
            guard: Type.String(),
            status: Type.Enum(["denied", "let-through", "not-reached"]),
            deniedBy: Type.Optional(Type.String()),
          }),
        ),
      }),
    ]),
  ),
  "db status": document(databaseStatus),
  "db backup": document(
    Type.Union([
      Type.Object({
        kind: Type.Literal("file"),
        file: path,
        bytes: Type.Integer(),
        pluginDatabases: Type.Integer(),
      }),
      serverCommand,
    ]),
  ),
  "db restore": document(
    Type.Union([
      Type.Object({
        kind: Type.Literal("file"),
        database: path,
        kept: Type.Optional(path),
        pluginDatabases: Type.Integer(),
      }),
      serverCommand,
    ]),
  ),
  "db migrate": document(
    Type.Object({
      dryRun: Type.Boolean(),
      isEqual: Type.Boolean(),
      counts: Type.Array(Type.Object({ table: Type.String(), rows: Type.Integer() })),
      tables: Type.Array(Type.Object({ table: Type.String(), isEqual: Type.Boolean() })),
      plugins: Type.Array(
        Type.Object({
          pluginId: Type.String(),
          databases: Type.Array(Type.String()),
          outcome: Type.Enum(["moved", "planned", "in-place", "left-behind"]),
          counts: Type.Array(Type.Object({ table: Type.String(), rows: Type.Integer() })),
          tables: Type.Array(Type.Object({ table: Type.String(), isEqual: Type.Boolean() })),
          kept: Type.Optional(path),
        }),
      ),
    }),
  ),
  "service install": document(
    Type.Object({
      outcome: Type.Enum(["installed", "updated", "unchanged"]),
      file: path,
      started: Type.Boolean(),
    }),
  ),
  "service uninstall": document(Type.Object({ removed: Type.Boolean(), file: path })),
  "service start": controlled,
  "service stop": controlled,
  "service restart": controlled,
  "service status": document(
    Type.Union([
      Type.Object({ installed: Type.Literal(false), file: path }),
      Type.Object({
        installed: Type.Literal(true),
        file: path,
        origin: Type.String(),
        problem: Type.Optional(Type.String()),
        isActive: Type.Boolean(),
        isEnabled: Type.Boolean(),
        pid: Type.Optional(pid),
        detail: Type.String(),
      }),
    ]),
  ),
  update: document(
    Type.Union([
      Type.Object({ updated: Type.Literal(false), version: Type.String() }),
      Type.Object({
        updated: Type.Literal(true),
        version: Type.String(),
        previous: Type.String(),
        backup: path,
      }),
    ]),
  ),
  "models list": document(resultOf("models.list")),
  "models status": document(resultOf("models.status")),
  "models test": document(resultOf("models.test")),
  usage: document(Type.Object({ by: Type.String(), from: time, to: time, ...usageReport })),
  logs: {
    form: "lines",
    schema: resultOf("logs.tail").properties.lines.items,
  },
  docs: document(
    Type.Union([
      Type.Object({ topics: topicList }),
      Type.Object({
        page: Type.Object({
          topic: Type.String(),
          title: Type.String(),
          markdown: Type.String(),
        }),
      }),
      Type.Object({
        matches: Type.Array(
          Type.Object({
            topic: Type.String(),
            title: Type.String(),
            heading: Type.String(),
            text: Type.String({ description: "First line with a word of the search." }),
          }),
        ),
      }),
      Type.Object({ url: Type.String({ description: "Page that `--open` wrote." }) }),
    ]),
  ),
  version: document(Type.Object({ version: Type.String(), node: Type.String() })),
};
