import { DeadlineExceededError, type Timers, withDeadline } from "@openclaw/foundation";
import type { PluginResourceEntry } from "@openclaw/plugin-sdk/plugin-entry";
import type { ToolInput } from "@openclaw/plugin-sdk/tools";
import { PluginPromptFailedError, PluginPromptNotFoundError } from "../errors.js";
import type { PluginPin } from "../generations/generations.js";
import { type PluginPromptRegistration, type PromptRendering, renderedPrompt } from "./prompt.js";
import { listedResources, type PluginResourceRegistration } from "./resource.js";
import { resourceToolNames } from "./resource-tools.js";

/** Time in milliseconds in which a plugin must render a prompt, and list or complete what it offers. */
const RENDER_MS = 30_000;
const LIST_MS = 5000;
const MOST_VALUES = 100;

/** Plugins whose prompts and resources are offered. */
export interface OfferingPlugins {
  pin(): PluginPin;
  callPlugin<Result>(pluginId: string, call: () => Result): Result;
}

/** Prompt with the name by which clients know it. */
export interface OfferedPrompt {
  readonly name: string;
  readonly registration: PluginPromptRegistration;
}

/** Resource in a list, with its plugin and the tool that reads it. */
export interface OfferedResource extends PluginResourceEntry {
  readonly pluginId: string;
  readonly tool: string;
}

/** The prompts and resources of plugins, for clients (PLUG-350, PLUG-351). */
export class PluginOffers {
  readonly #plugins: OfferingPlugins;
  readonly #timers: Timers | undefined;

  /**
   * @param plugins - the plugins of the host
   * @param timers - timers for deadlines; those of the process when absent
   */
  constructor(plugins: OfferingPlugins, timers?: Timers) {
    this.#plugins = plugins;
    this.#timers = timers;
  }

  /** Returns the prompts; where two plugins have a name, it has the plugin before it. */
  prompts(): readonly OfferedPrompt[] {
    return this.#use(({ prompts }) =>
      prompts.map((registration) => {
        const { pluginId, prompt } = registration;
        const isShared = prompts.some(
          (other) => other !== registration && other.prompt.name === prompt.name,
        );
        return { name: isShared ? `${pluginId}:${prompt.name}` : prompt.name, registration };
      }),
    );
  }

  /**
   * Renders a prompt.
   * @param name - name as listed
   * @param values - values of its arguments
   * @param inputs - answers to its requests for input so far, by their names
   * @throws PluginPromptNotFoundError, PluginPromptFailedError
   */
  async render(
    name: string,
    values: Readonly<Record<string, string>>,
    inputs: Readonly<Record<string, ToolInput>>,
  ): Promise<PromptRendering & { readonly description: string; readonly pluginId: string }> {
    const { registration } = this.#prompt(name);
    const { pluginId, prompt } = registration;
    const late = () =>
      new PluginPromptFailedError(pluginId, prompt.name, `it took more than ${RENDER_MS} ms`);
    const rendered = await this.#call(
      pluginId,
      () => renderedPrompt(registration, values, inputs),
      { ms: RENDER_MS, late },
    );
    return { description: prompt.description, pluginId, ...rendered };
  }

  /**
   * Returns values for an argument of a prompt; none when the plugin fails or takes too long.
   * @param name - name as listed
   * @param value - value as far as it is written
   * @param given - values of other arguments
   * @throws PluginPromptNotFoundError
   */
  async completePrompt(
    name: string,
    argument: string,
    value: string,
    given: Readonly<Record<string, string>>,
  ): Promise<readonly string[]> {
    const { pluginId, prompt } = this.#prompt(name).registration;
    const found = prompt.arguments?.find((each) => each.name === argument);
    return await this.#values(pluginId, () => found?.complete?.(value, given) ?? []);
  }

  /** Lists the resources, those of templates too. A plugin that fails or takes too long loses its list. */
  async resources(): Promise<readonly OfferedResource[]> {
    const registered = this.#use(({ resources }) => resources);
    const lists = registered.map(async (registration) => {
      const { pluginId } = registration;
      const { read: tool } = resourceToolNames(pluginId);
      const signal = AbortSignal.timeout(LIST_MS);
      const list = () => listedResources(registration, signal);
      const entries = await this.#call(pluginId, list, { ms: LIST_MS }).catch(() => []);
      return entries.map((entry) => ({ ...entry, pluginId, tool }));
    });
    return (await Promise.all(lists)).flat();
  }

  /** Returns the templates of URIs. */
  templates(): readonly OfferedResource[] {
    const templates = this.#use(({ resources }) =>
      resources.filter(({ isTemplate }) => isTemplate),
    );
    return templates.map(({ resource, pluginId }) => {
      const { uri, name, description, mimeType } = resource;
      return {
        ...{ uri, name, pluginId, tool: resourceToolNames(pluginId).read },
        ...(description === undefined ? {} : { description }),
        ...(mimeType === undefined ? {} : { mimeType }),
      };
    });
  }

  /**
   * Returns the tool that reads a resource.
   * @param uri - URI of the resource
   * @returns undefined for a URI of no plugin
   */
  toolOf(uri: string): string | undefined {
    const found = this.#use(({ resources }) =>
      resources.find(({ match }) => match(uri) !== undefined),
    );
    return found && resourceToolNames(found.pluginId).read;
  }

  /**
   * Returns values for a variable of a template; none when the plugin fails or takes too long.
   * @param template - template as listed
   * @param value - value as far as it is written
   */
  async completeResource(
    template: string,
    variable: string,
    value: string,
  ): Promise<readonly string[]> {
    const found: PluginResourceRegistration | undefined = this.#use(({ resources }) =>
      resources.find(({ resource }) => resource.uri === template),
    );
    if (found === undefined) return [];
    const { pluginId, resource } = found;
    return await this.#values(pluginId, () => resource.complete?.(variable, value) ?? []);
  }

  #prompt(name: string): OfferedPrompt {
    const found = this.prompts().find((each) => each.name === name);
    if (found === undefined) throw new PluginPromptNotFoundError(name);
    return found;
  }

  #use<Result>(read: (generation: PluginPin["generation"]) => Result): Result {
    const pin = this.#plugins.pin();
    try {
      return read(pin.generation);
    } finally {
      pin.release();
    }
  }

  async #values(
    pluginId: string,
    call: () => readonly string[] | Promise<readonly string[]>,
  ): Promise<readonly string[]> {
    const values: unknown = await this.#call(pluginId, call, { ms: LIST_MS }).catch(() => []);
    if (!Array.isArray(values)) return [];
    return values.filter((each) => typeof each === "string").slice(0, MOST_VALUES);
  }

  async #call<Result>(
    pluginId: string,
    call: () => Result | Promise<Result>,
    { ms, late }: { readonly ms: number; readonly late?: () => Error },
  ): Promise<Result> {
    const pin = this.#plugins.pin();
    try {
      const answer = async () => await this.#plugins.callPlugin(pluginId, call);
      return await withDeadline(ms, answer, this.#timers);
    } catch (error) {
      throw late !== undefined && error instanceof DeadlineExceededError ? late() : error;
    } finally {
      pin.release();
    }
  }
}
