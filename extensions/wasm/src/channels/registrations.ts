import type { OpenClawPluginApi, Unregister } from "@openclaw/plugin-sdk/plugin-entry";
import type { ChannelCapability } from "@openclaw/wasm-host";
import type { LoadedComponent } from "../library/folder-scan.js";
import { ComponentChannel, type ComponentChannelContext } from "./channel.js";
import { LastConversations } from "./messages.js";

/** Services for channels that are the same for all of them. */
export type ChannelServices = Omit<
  ComponentChannelContext,
  "conversations" | "route" | "secrets" | "warn"
>;

interface RegisteredChannel {
  readonly component: LoadedComponent;
  readonly channel: ComponentChannel;
  readonly unregister: Unregister;
}

/** Keeps the channels of the plugin those of the loaded components (WASM-043). */
export class ChannelRegistrations {
  readonly #api: OpenClawPluginApi;
  readonly #services: () => ChannelServices;
  readonly #registered = new Map<string, RegisteredChannel>();

  /** @param services - returns what channels use */
  constructor(api: OpenClawPluginApi, services: () => ChannelServices) {
    this.#api = api;
    this.#services = services;
  }

  /** State of each channel. */
  get reports(): readonly ComponentChannel["report"][] {
    return [...this.#registered.values()].map(({ channel }) => channel.report);
  }

  /**
   * Registers new channels, removes those that are gone, and replaces those that changed.
   * @param components - loaded channels by name
   */
  apply(components: ReadonlyMap<string, LoadedComponent>): void {
    this.#api.lifecycle.update(() => {
      for (const [name, { component, unregister }] of [...this.#registered]) {
        if (isSame(component, components.get(name))) continue;
        this.#registered.delete(name);
        unregister();
      }
      for (const [name, component] of components) {
        if (this.#registered.has(name)) continue;
        const { channel: capability } = component.capabilities;
        if (capability !== undefined) this.#register(component, capability);
      }
    });
  }

  #register(component: LoadedComponent, capability: ChannelCapability): void {
    const api = this.#api;
    const { name } = component;
    const channel = new ComponentChannel(component, capability, {
      ...this.#services(),
      conversations: new LastConversations(() => api.store.kv, name),
      secrets: () => api.store.secrets,
      warn: (message) => api.logger.warn(message),
      route: (path, fetch, isPrefix) => {
        let remove: () => void = () => undefined;
        api.lifecycle.update(() => {
          remove = api.registerHttpRoute({
            ...{ path, channel: name, auth: "plugin", fetch },
            match: isPrefix ? "prefix" : "exact",
          });
        });
        return remove;
      },
    });
    const unregister = api.registerChannel(channel);
    this.#registered.set(name, { component, channel, unregister });
  }
}

/** A component that was read again is another object with the same content. */
function isSame(one: LoadedComponent, other: LoadedComponent | undefined): boolean {
  if (other === undefined || one.prepared.hash !== other.prepared.hash) return false;
  return JSON.stringify(one.capabilities) === JSON.stringify(other.capabilities);
}
