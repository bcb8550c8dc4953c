import type { SpeechProvider } from "@openclaw/plugin-sdk/plugin-entry";
import { expect, it } from "vitest";
import { selectedSpeech } from "../../src/host/speech.js";

const spoken = { audioBuffer: new Uint8Array(1), fileExtension: ".ogg", voiceCompatible: true };
const provider = (id: string, missing?: string): SpeechProvider => ({
  id,
  missing: () => missing,
  synthesize: async () => spoken,
});

function select(speech: object, ...providers: SpeechProvider[]): string {
  const origin = { pluginId: "voice", pluginName: "Voice", source: "test" };
  const speechProviders = providers.map((each) => ({ ...origin, provider: each }));
  const selected = selectedSpeech({ value: { speech } }, { speechProviders });
  return "unavailable" in selected ? selected.unavailable : selected.provider.id;
}

it("selects the speech provider that is configured, or the only one that is set up", () => {
  const [one, two, unset] = [provider("one"), provider("two"), provider("local", "set LOCAL_URL")];
  expect(select({ provider: "two" }, one, two)).toBe("two");
  expect(select({}, one, unset)).toBe("one");
  expect(select({}, one, two)).toBe("speech.provider is not set; set it to one or two");
  expect(select({ provider: "twoo" }, one, two)).toMatch(/did you mean .*"two"/);
  expect(select({ provider: "two" })).toContain("enable its plugin");
  expect(select({ provider: "local" }, unset)).toContain("not set up; set LOCAL_URL");
  expect(select({}, unset)).toBe('for the provider "local", set LOCAL_URL');
  expect(select({})).toBe("no plugin registers a speech provider");
});
