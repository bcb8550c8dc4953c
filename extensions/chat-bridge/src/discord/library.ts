import { loadDependency, packageFolder } from "../adapter/package.js";

/** Session of the gateway, with which it sends missed events. */
export interface GatewaySession {
  readonly sessionId: string;
  readonly resumeURL: string;
  readonly sequence: number;
  readonly shardId: number;
  readonly shardCount: number;
}

/** Event of the gateway. */
export interface GatewayDispatch {
  readonly t: string;
  readonly s: number;
  readonly d: Readonly<Record<string, unknown>>;
}

/** Options of `WebSocketManager` of `@discordjs/ws`, as far as they are used here. */
export interface GatewayManagerOptions {
  readonly token: string;
  readonly intents: number;
  readonly rest: unknown;
  retrieveSessionInfo(): GatewaySession | null;
  updateSessionInfo(shardId: number, session: GatewaySession | null): void;
}

/** `WebSocketManager` of `@discordjs/ws`, as far as it is used here. */
export interface GatewayManager {
  connect(): Promise<void>;
  destroy(options: { readonly code: number }): Promise<void>;
  on(event: "dispatch", listener: (event: { readonly data: GatewayDispatch }) => void): void;
  on(event: "error", listener: (event: { readonly error: Error }) => void): void;
}

/** Client of the REST API of Discord. */
export interface DiscordRest {
  setToken(token: string): DiscordRest;
  get(route: string): Promise<unknown>;
}

/** Libraries of Discord, which come with its adapter. */
export interface DiscordLibrary {
  createRest(api: string): DiscordRest;
  createManager(options: GatewayManagerOptions): GatewayManager;
}

const REST_OPTIONS = { version: "10", retries: 0, hashSweepInterval: 0, handlerSweepInterval: 0 };

/**
 * Loads the gateway library that the adapter depends on.
 * @param folder - folder of the package of the adapter
 * @throws Error when it is not complete
 */
export async function loadDiscordLibrary(folder: string): Promise<DiscordLibrary> {
  const discordFolder = packageFolder("discord.js", folder) ?? folder;
  const socket = await loadDependency("@discordjs/ws", discordFolder);
  const http = await loadDependency("@discordjs/rest", discordFolder);
  const [Manager, Rest] = [socket?.WebSocketManager, http?.REST];
  if (typeof Manager !== "function" || typeof Rest !== "function") {
    throw new Error("discord.js is not complete; install the adapter again");
  }
  return {
    // Without sweepers, whose timers would not end with the channel; few routes are used.
    createRest: (api) => Reflect.construct(Rest, [{ ...REST_OPTIONS, api }]),
    createManager: (options) => Reflect.construct(Manager, [options]),
  };
}
