import type { LoadedConfiguration } from "@openclaw/configuration";
import { withSuggestion } from "@openclaw/foundation";
import { type HostSpeech, type SelectedSpeech, SPOKEN_REPLIES } from "@openclaw/messaging";
import type { PluginGeneration, PluginRuntime } from "@openclaw/plugin-runtime";

/**
 * Returns the speech provider that `speech.provider` selects, or the only one that is set up.
 * @param generation - plugins whose providers exist
 */
export function selectedSpeech(
  { value: { speech = {} } }: Pick<LoadedConfiguration, "value">,
  { speechProviders }: Pick<PluginGeneration, "speechProviders">,
): SelectedSpeech | { readonly unavailable: string } {
  const { provider: wanted, voice } = speech;
  const ids = speechProviders.map(({ provider }) => provider.id);
  if (wanted !== undefined) {
    const found = speechProviders.find(({ provider }) => provider.id === wanted);
    if (found === undefined) {
      const problem = `speech.provider is "${wanted}", which no plugin registers`;
      return {
        unavailable:
          ids.length === 0 ? `${problem}; enable its plugin` : withSuggestion(problem, ids),
      };
    }
    const missing = found.provider.missing?.();
    if (missing === undefined) return { ...found, voice };
    return { unavailable: `the speech provider "${wanted}" is not set up; ${missing}` };
  }
  const ready = speechProviders.filter(({ provider }) => provider.missing?.() === undefined);
  const [only, another] = ready;
  if (only !== undefined && another === undefined) return { ...only, voice };
  if (only !== undefined) {
    const names = ready.map(({ provider }) => provider.id).join(" or ");
    return { unavailable: `speech.provider is not set; set it to ${names}` };
  }
  const steps = speechProviders.map(
    ({ provider }) => `for the provider "${provider.id}", ${provider.missing?.() ?? ""}`,
  );
  return {
    unavailable: steps.length === 0 ? "no plugin registers a speech provider" : steps.join(", or "),
  };
}

/**
 * Returns the speech of a host, which follows configuration and plugins.
 * @param plugins - plugins with speech providers
 */
export function hostSpeech(
  configuration: Pick<LoadedConfiguration, "value">,
  plugins: Pick<PluginRuntime, "current">,
): HostSpeech {
  return {
    get replies() {
      return configuration.value.speech?.replies ?? SPOKEN_REPLIES;
    },
    select: () => selectedSpeech(configuration, plugins.current),
  };
}
