import type {
  AssembledContext,
  ContextAssembly,
  ContextEngine,
  ContextEngineFactory,
  ContextTurnEnd,
} from "@openclaw/plugin-sdk/plugin-entry";
import { readEngineMessage } from "../api/engine-message.js";
import { expectFunction, expectText } from "./check.js";
import type { RegistrationOrigin } from "./origin.js";

/** A context engine, which selects the part of the conversation sent to the model. */
export interface PluginContextEngineRegistration extends RegistrationOrigin {
  readonly id: string;
  /** True for the engine in the slot. */
  readonly chosen: boolean;
  /** Returns the engine, created on first use. */
  engine(): Promise<ContextEngine>;
  /** Disposes the engine if it was created. */
  dispose(): Promise<void>;
}

/** The context engine in the slot. */
export interface ActiveContextEngine {
  readonly pluginId: string;
  /** Tells the engine of a session, once; does not catch errors. */
  bootstrap(session: Pick<ContextAssembly, "sessionId" | "sessionKey">): Promise<void>;
  /**
   * Selects the messages for a turn; checks the answer and does not catch errors.
   * @param assembly - conversation and budget
   * @returns undefined when the engine did not return a list of messages
   */
  assemble(assembly: ContextAssembly): Promise<AssembledContext | undefined>;
  /** Tells the engine of a finished turn. */
  turnEnded(end: ContextTurnEnd): Promise<void>;
  /** Returns true when the host must not compact conversations. */
  ownsCompaction(): Promise<boolean>;
  /** Lets an engine that owns the compaction compact a conversation. */
  compact(
    session: Pick<ContextAssembly, "sessionId" | "sessionKey" | "tokenBudget">,
  ): Promise<void>;
}

/** Slot and host of a registration. */
export interface ContextEnginePlace {
  /** `plugins.slots.contextEngine`. */
  readonly slot: unknown;
  readonly config: Readonly<Record<string, unknown>>;
  readonly workspaceDir: string | undefined;
}

/**
 * Checks the arguments of `api.registerContextEngine`.
 * @param id - id of the engine
 * @param factory - creates the engine
 * @param place - slot and host
 * @throws PluginRegistrationError naming the argument
 */
export function readContextEngine(
  origin: RegistrationOrigin,
  id: string,
  factory: ContextEngineFactory,
  { slot, config, workspaceDir }: ContextEnginePlace,
): PluginContextEngineRegistration {
  const call = { origin, member: "registerContextEngine" };
  expectFunction(call, "factory", factory);
  const name = expectText(call, "id", id);
  let made: Promise<ContextEngine> | undefined;
  const engine = () => {
    made ??= Promise.resolve(
      factory(workspaceDir === undefined ? { config } : { config, workspaceDir }),
    );
    return made;
  };
  const dispose = async () => void (await (await made)?.dispose?.());
  return {
    ...origin,
    id: name,
    chosen: slot === name || slot === origin.pluginId,
    engine,
    dispose,
  };
}

/**
 * Returns the engine in the slot; undefined when the slot is empty.
 * @param engines - registered engines
 */
export function activeContextEngine(
  engines: readonly PluginContextEngineRegistration[],
): ActiveContextEngine | undefined {
  const found = engines.find(({ chosen }) => chosen);
  if (found === undefined) return undefined;
  const bootstrapped = new Set<string>();
  return {
    pluginId: found.pluginId,
    async bootstrap({ sessionId, sessionKey }) {
      if (bootstrapped.has(sessionId)) return;
      bootstrapped.add(sessionId);
      const engine = await found.engine();
      await engine.bootstrap?.({ sessionId, sessionKey });
    },
    async assemble(assembly) {
      const engine = await found.engine();
      return checkedContext(await engine.assemble(assembly));
    },
    async turnEnded(end) {
      const engine = await found.engine();
      if (engine.afterTurn !== undefined) {
        await engine.afterTurn(end);
        return;
      }
      const { sessionId, sessionKey, messages, prePromptMessageCount } = end;
      for (const message of messages.slice(prePromptMessageCount)) {
        await engine.ingest?.({ sessionId, sessionKey, message });
      }
    },
    ownsCompaction: async () => (await found.engine()).info?.ownsCompaction === true,
    async compact(session) {
      await (await found.engine()).compact?.(session);
    },
  };
}

function checkedContext(value: unknown): AssembledContext | undefined {
  if (typeof value !== "object" || value === null || !("messages" in value)) return undefined;
  const { messages } = value;
  const systemPromptAddition =
    "systemPromptAddition" in value ? value.systemPromptAddition : undefined;
  if (!Array.isArray(messages)) return undefined;
  const checked = messages.map(readEngineMessage);
  if (checked.includes(undefined)) return undefined;
  const kept = checked.filter((message) => message !== undefined);
  return typeof systemPromptAddition === "string"
    ? { messages: kept, systemPromptAddition }
    : { messages: kept };
}
