import { defined, withDeadline } from "@openclaw/foundation";
import { type QueueMode, sumUsage } from "@openclaw/messaging";
import { type GatewayMethodResult, hostMethods } from "@openclaw/protocol";
import { MethodRegistry } from "@openclaw/protocol/registry";
import type { ReadinessCheck } from "@openclaw/server";
import type { Store } from "@openclaw/store";
import type { Host } from "../host/running-host.js";

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
  readonly host: Pick<Host, "plugins" | "services" | "model" | "router">;
  readonly store: Store;
  readonly facts: GatewayFacts;
}

const DAY_MS = 24 * 60 * 60 * 1000;
/** Period of `usage.query` without `from`. */
const USAGE_DAYS = 30;
/** Time in milliseconds for a provider to list its models. */
const MODEL_LIST_MS = 2000;
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
      const { plugins, number, channels } = host.plugins.current;
      const counted = (wanted: string) => plugins.filter(({ status }) => status === wanted).length;
      const unfinished = await store.turns.unfinished();
      const filter = { state: "pending", limit: MOST_PENDING } as const;
      return {
        version: facts.version,
        startedAt: facts.startedAt,
        uptimeMs: now() - facts.startedAt,
        database: { ...store.database },
        model: host.model.ref,
        workspaceDir: facts.workspaceDir,
        queueMode: facts.queueMode,
        configuration: facts.configuration(),
        agents: [...host.router.agentIds],
        channels: channels.map(({ id }) => id),
        generation: number,
        plugins: {
          loaded: counted("loaded"),
          disabled: counted("disabled"),
          failed: counted("error"),
        },
        turns: { unfinished: unfinished.length },
        pendingApprovals: (await store.decisions.approvals.list(filter)).length,
      };
    },
    "models.list": async () => {
      const { agentIds } = host.router;
      return {
        providers: await describeProviders(host),
        agents: agentIds.map((agentId) => ({ agentId, model: host.router.modelOf(agentId) })),
      };
    },
    "usage.query": async ({ from = now() - USAGE_DAYS * DAY_MS, to = now(), groupBy = "day" }) => ({
      groups: await sumUsage({ from, to, groupBy }, store),
    }),
  });
}

/**
 * Describes the providers of models, with the setup of those that are not ready.
 * @param host - host with its plugins loaded
 */
export async function describeProviders(
  host: Pick<Host, "services">,
): Promise<GatewayMethodResult<"models.list">["providers"]> {
  return Promise.all(host.services.models.providers().map(providerOf));
}

type Provider = ReturnType<Host["services"]["models"]["providers"]>[number];

async function providerOf(
  provider: Provider,
): Promise<GatewayMethodResult<"models.list">["providers"][number]> {
  const { id, label, defaultModel, paid, credential, setup } = provider;
  const isReady = !paid || credential !== undefined;
  return {
    id,
    defaultModel: `${id}/${defaultModel}`,
    models: await modelsOf(provider),
    paid,
    ready: isReady,
    ...defined({ label, setup: isReady ? undefined : setup }),
  };
}

/** A provider that fails or is slow is listed without its models. */
async function modelsOf(provider: Provider): Promise<readonly string[]> {
  try {
    const listed = await withDeadline(MODEL_LIST_MS, async () => provider.listModels?.() ?? []);
    return listed.map((model) => `${provider.id}/${model}`);
  } catch {
    return [];
  }
}
