import { definePluginEntry } from "@openclaw/plugin-sdk/plugin-entry";
import { lobsterCommands } from "./commands/register.js";
import { DEFAULTS, type LobsterConfig } from "./config.js";
import { findEngine } from "./engine/engine.js";
import { registerGatesMethod } from "./gates/ahead.js";
import { lobsterData, openDatabase } from "./gates/database.js";
import { InterruptedRuns } from "./gates/interrupted-runs.js";
import { Keys } from "./gates/keys.js";
import { Resumption } from "./gates/resumption.js";
import { SuspendedRuns } from "./gates/runs.js";
import { Suspension } from "./gates/suspension.js";
import { createLlmTask } from "./llm-task.js";
import { Lobster } from "./lobster.js";
import { LLM_TOOL } from "./run/effects.js";
import { RunFolder } from "./run/folder.js";
import type { EngineRunner, EngineRunnerDependencies } from "./run/runner.js";
import { RunSlots } from "./run/slots.js";
import { SelfResume } from "./self-resume.js";
import { sessionOf } from "./session.js";
import { SessionState } from "./state/session-state.js";
import { createTool, TOOL } from "./tool.js";
import { Upkeep } from "./upkeep.js";

/** Key of the mark that the plugin has a database. */
const USED = "used";

/** Creates what runs the engine. */
export type RunnerFactory = (dependencies: EngineRunnerDependencies) => Pick<EngineRunner, "run">;

/**
 * Creates the plugin.
 * @param createRunner - creates what runs the engine; the plugin itself runs it in a separate process
 */
export const createLobsterPlugin = (createRunner: RunnerFactory) =>
  definePluginEntry<Partial<LobsterConfig>>({
    id: "lobster",
    name: "Lobster",
    description: "Typed pipelines and workflows with approval gates, in one tool call.",
    data: lobsterData,
    register(api) {
      // A missing engine fails the plugin with the command that installs it, and nothing else (LOB-036).
      const engine = findEngine();
      const config: LobsterConfig = { ...DEFAULTS, ...api.pluginConfig };
      const { approvals } = api;
      const now = Date.now;
      const redact = (value: unknown) => api.runtime.logging.redact(value);
      let isMarked = false;
      const database = async () => {
        if (!isMarked) await api.store.kv.set(USED, true);
        isMarked = true;
        return await openDatabase(api.store);
      };
      const runs = new SuspendedRuns(database, now);
      const interrupted = new InterruptedRuns(database, now);
      const resuming = new Set<string>();
      const state = new SessionState(database);
      const keys = new Keys(api.store.secrets, config.tokenTtlMs, now);
      const { tokenTtlMs } = config;
      const suspension = new Suspension({ runs, keys, approvals, tokenTtlMs, redact, now });
      const resumption = new Resumption({
        runs,
        keys,
        approvals,
        suspension,
        config,
        resuming,
        now,
      });
      const lobster = new Lobster({
        config,
        slots: new RunSlots(config.maxConcurrent),
        engine: createRunner({ engine, config, state, redact: (text) => String(redact(text)) }),
        runs,
        resuming,
        approvals,
        suspension,
        resumption,
        redact,
      });
      const selfResume = new SelfResume({ api, runs, interrupted, resuming, keys, suspension });

      api.registerTool(
        (context) => {
          const session = sessionOf(context);
          if (session === undefined || (context.sandboxed && !config.allowSandboxed)) return null;
          return [createTool(async () => lobster, session, config), createLlmTask(api, context)];
        },
        { names: [TOOL, LLM_TOOL], optional: true },
      );

      approvals.onResolved((approval) => selfResume.decided(approval));

      api.lifecycle.registerRuntimeLifecycle({
        id: "lobster",
        async cleanup({ reason, sessionKey }) {
          if (sessionKey === undefined || (reason !== "reset" && reason !== "delete")) return;
          for (const { approvalId } of await runs.removeSession(sessionKey)) {
            if (approvalId !== null) await approvals.cancel(approvalId);
          }
          await state.remove(sessionKey);
        },
      });

      const upkeep = new Upkeep({
        isUsed: async () => (await api.store.kv.get(USED)) === true,
        isOnlyHost: () => interrupted.isOnlyHost(),
        recover: () => selfResume.recover(),
        async tidy() {
          for (const run of await runs.tidy()) {
            if (run.approvalId !== null) await approvals.cancel(run.approvalId);
          }
          if (api.store.secrets !== undefined) await keys.rotate();
        },
      });
      api.registerService({
        id: "lobster",
        async start({ repeat }) {
          await RunFolder.sweep();
          await upkeep.start(repeat);
        },
      });

      registerGatesMethod(api, config);
      api.registerCli(lobsterCommands({ runs }), {
        descriptors: [
          {
            name: "lobster",
            description: "run workflows, and list, resume and draw them",
            hasSubcommands: true,
          },
        ],
      });
    },
  });
