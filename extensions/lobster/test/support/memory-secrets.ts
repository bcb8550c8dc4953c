import type { PluginSecretStore } from "@openclaw/plugin-sdk/store";

/** Secrets in memory, which count how often they are read. */
export class MemorySecrets implements PluginSecretStore {
  readonly #values = new Map<string, string>();
  reads = 0;

  async get(name: string): Promise<string | undefined> {
    this.reads += 1;
    return this.#values.get(name);
  }

  async set(name: string, value: string): Promise<void> {
    this.#values.set(name, value);
  }

  async delete(name: string): Promise<boolean> {
    return this.#values.delete(name);
  }
}
