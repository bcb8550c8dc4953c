import { defined } from "@openclaw/foundation";
import { type GatewayMethodResult, hostMethods } from "@openclaw/protocol";
import { MethodRegistry } from "@openclaw/protocol/registry";
import type { ReadinessCheck } from "@openclaw/server";
import type { QueueMode, Store } from "@openclaw/store";
import { hookFileProblems } from "../diagnostics/hook-file-problems.js";
import type { Host } from "../host/running-host.js";
import { leftOutSkills } from "./skills.js";

/** Facts about the process that runs the gateway. */
export interface GatewayFacts {
  readonly version: string;
  readonly workspaceDir: string;
  /** Handling of messages that arrive during a turn, in sessions without a setting. */
  readonly queueMode: QueueMode;
  /** Milliseconds since the epoch. */
  readonly startedAt: number;
  /** Returns the checks that readiness depends on. */
  ready(): Promise<readonly ReadinessCheck[]>;
  /** Returns the layers of the configuration in force (HOST-031). */
  configuration(): GatewayMethodResult<"host.status">["configuration"];
}

/** Dependencies of {@link createHostMethods}. */
export interface HostMethodDependencies {
  readonly host: Pick<Host, "plugins" | "services" | "model" | "router" | "channels">;
  readonly store: Store;
  readonly facts: GatewayFacts;
}

const MOST_PENDING = 1000;

/**
 * Creates the methods about the running gateway (GW-029).
 * @param dependencies - host, store, and facts about the process
 */
export function createHostMethods({
  host,
  store,
  facts,
}: HostMethodDependencies): MethodRegistry<typeof hostMethods> {
  const now = () => host.services.now();
  return MethodRegistry.of(hostMethods, {
    "host.health": async () => {
      const checks = await facts.ready();
      const ready = checks.every(({ ok, isRequired = true }) => ok || !isRequired);
      return { ready, checks: checks.map((check) => defined({ ...check })) };
    },
    "host.status": async () => {
      const { plugins, number } = host.plugins.current;
      const counted = (wanted: string) => plugins.filter(({ status }) => status === wanted).length;
      const unfinished = await store.turns.unfinished();
      const filter = { state: "pending", limit: MOST_PENDING } as const;
      return {
        version: facts.version,
        startedAt: facts.startedAt,
        uptimeMs: now() - facts.startedAt,
        database: defined({ ...store.database }),
        model: host.model.ref,
        workspaceDir: facts.workspaceDir,
        queueMode: facts.queueMode,
        configuration: facts.configuration(),
        agents: [...host.router.agentIds],
        channels: [...host.channels.manager.names],
        generation: number,
        plugins: {
          loaded: counted("loaded"),
          disabled: counted("disabled"),
          failed: counted("error"),
        },
        skillsLeftOut: await leftOutSkills(host.services.skills),
        hookProblems: (await hookFileProblems(host.plugins)).map(({ message }) => message),
        turns: { unfinished: unfinished.length },
        waitingDevices: await store.devices.countWaiting(),
        pendingApprovals: (await store.decisions.approvals.list(filter)).length,
      };
    },
  });
}
