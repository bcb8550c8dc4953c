import { defined, errorMessage, withDeadline } from "@openclaw/foundation";
import type { ChannelStatus } from "@openclaw/messaging";
import type { PluginGeneration } from "@openclaw/plugin-runtime";
import type { ReadinessCheck } from "@openclaw/server";
import type { Store } from "@openclaw/store";
import type { NodeMembership } from "../nodes/membership.js";

/** A store that needs longer than the wait for a lock is not usable. */
const STORE_DEADLINE_MS = 10_000;

/** State of a host from which its readiness follows. */
export interface ReadinessSources {
  readonly phase: "starting" | "ready" | "stopping";
  readonly store: Pick<Store, "check">;
  readonly plugins: Pick<PluginGeneration, "plugins">;
  /** State of each account of a channel. */
  readonly channels: readonly Pick<ChannelStatus, "channel" | "accountId" | "state">[];
  /** Problem with the files of the configuration, or keys that wait for a restart; undefined without one. */
  readonly configuration?: string | undefined;
  readonly model: {
    readonly ref: string;
    /** True if a provider of the model is registered. */
    readonly isProvided: boolean;
  };
  /** This node among others; undefined for a host that has its database alone. */
  readonly node?: Pick<NodeMembership, "isDraining" | "drift"> | undefined;
}

/**
 * Returns the checks of a host (GW-031). Store and phase decide whether it is ready; plugins, channels and
 * models only inform, because a gateway without one of them still serves the others. No plugin is called.
 * @param sources - state of the host
 */
export async function readinessChecks(
  sources: ReadinessSources,
): Promise<readonly ReadinessCheck[]> {
  const { phase, plugins, model, configuration, node } = sources;
  const failed = plugins.plugins.filter(({ status }) => status === "error").map(({ id }) => id);
  const channels = sources.channels.map(channelText);
  const broken = sources.channels.filter(({ state }) => state === "degraded").map(channelText);
  return [
    await storeCheck(sources),
    check("gateway", phase === "ready" ? drainOf(node) : phase),
    ...(node === undefined ? [] : [{ ...check("nodes", driftText(node)), isRequired: false }]),
    { ...check("configuration", configuration), isRequired: false },
    {
      ...check("plugins", failed.length === 0 ? undefined : `failed: ${failed.join(", ")}`),
      isRequired: false,
    },
    {
      name: "channels",
      ok: broken.length === 0,
      detail: (broken.length === 0 ? channels : broken).join(", ") || "none",
      isRequired: false,
    },
    {
      ...check(
        "models",
        model.isProvided ? undefined : `no provider of ${model.ref} is registered`,
      ),
      isRequired: false,
    },
  ];
}

/** A drained node is not ready, so that a proxy sends clients to the others. */
function drainOf(node: ReadinessSources["node"]): string | undefined {
  if (node?.isDraining !== true) return undefined;
  return "drained by the operator; `openclaw nodes resume` lets it take work again";
}

/** Other nodes serve as well, so that a difference only informs (SCALE-022). */
function driftText({ drift }: NonNullable<ReadinessSources["node"]>): string | undefined {
  if (drift.length === 0) return undefined;
  return `differs from most other nodes in ${drift.join(", ")}; \`openclaw nodes list\` compares them`;
}

function channelText({ channel, accountId, state }: ReadinessSources["channels"][number]): string {
  const name = accountId === "default" ? channel : `${channel}/${accountId}`;
  return `${name}: ${state}`;
}

async function storeCheck({ store }: Pick<ReadinessSources, "store">): Promise<ReadinessCheck> {
  try {
    await withDeadline(STORE_DEADLINE_MS, () => store.check());
    return check("store", undefined);
  } catch (error) {
    return check("store", errorMessage(error));
  }
}

function check(name: string, problem: string | undefined): ReadinessCheck {
  return { name, ok: problem === undefined, ...defined({ detail: problem }) };
}
