import { definePluginEntry } from "@openclaw/plugin-sdk/plugin-entry";
import { lobsterCommands } from "./commands/register.js";
import { DEFAULTS, type LobsterConfig } from "./config.js";
import { findEngine } from "./engine/engine.js";
import { openDatabase } from "./gates/database.js";
import { Keys } from "./gates/keys.js";
import { Resumption } from "./gates/resumption.js";
import { SuspendedRuns } from "./gates/runs.js";
import { Suspension } from "./gates/suspension.js";
import { createLlmTask } from "./llm-task.js";
import { Lobster } from "./lobster.js";
import { LLM_TOOL } from "./run/effects.js";
import { RunFolder } from "./run/folder.js";
import { EngineRunner } from "./run/runner.js";
import { RunSlots } from "./run/slots.js";
import { SelfResume } from "./self-resume.js";
import { sessionOf } from "./session.js";
import { SessionState } from "./state/session-state.js";
import { createTool, TOOL } from "./tool.js";

const TIDY_EVERY_MS = 3_600_000;
/** Key of the mark that the plugin has a database. */
const USED = "used";

export default definePluginEntry<Partial<LobsterConfig>>({
  id: "lobster",
  name: "Lobster",
  description: "Typed pipelines and workflows with approval gates, in one tool call.",
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
    const state = new SessionState(database);
    const keys = new Keys(api.store.secrets, config.tokenTtlMs, now);
    const { tokenTtlMs } = config;
    const suspension = new Suspension({ runs, keys, approvals, tokenTtlMs, redact, now });
    const resumption = new Resumption({ runs, keys, approvals, suspension, config, now });
    const lobster = new Lobster({
      config,
      slots: new RunSlots(config.maxConcurrent),
      engine: new EngineRunner({
        engine,
        config,
        state,
        redact: (text) => String(redact(text)),
      }),
      runs,
      approvals,
      suspension,
      resumption,
      redact,
    });
    const selfResume = new SelfResume({ api, runs, keys, suspension });

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

    let timer: NodeJS.Timeout | undefined;
    api.registerService({
      id: "lobster",
      async start() {
        const tidy = async () => {
          if ((await api.store.kv.get(USED)) !== true) return;
          for (const run of await runs.tidy()) {
            if (run.approvalId !== null) await approvals.cancel(run.approvalId);
          }
          if (api.store.secrets !== undefined) await keys.rotate();
        };
        timer = setInterval(() => {
          tidy().catch((error: unknown) => {
            api.logger.warn(`expired runs could not be removed: ${error}`);
          });
        }, TIDY_EVERY_MS);
        timer.unref();
        await RunFolder.sweep();
        // A gateway that never ran a workflow opens no database.
        if ((await api.store.kv.get(USED)) !== true) return;
        // A database file has one host; on a server another host may be working on a run.
        const isOnlyHost = (await database()).dialect === "sqlite";
        for (const run of await runs.recover(isOnlyHost)) {
          await selfResume.tell(
            run,
            "the gateway stopped while the run continued, and its outcome is unknown; check what it did before you start it again",
          );
        }
        await tidy();
        await selfResume.recover();
      },
      stop() {
        clearInterval(timer);
      },
    });

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
