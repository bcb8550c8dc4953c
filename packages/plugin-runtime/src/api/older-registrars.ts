import type {
  AgentEvents,
  OlderRegistrars,
  OpenClawPluginApi,
  RunContext,
  SessionControls,
  WebSearchProvider,
  WebToolProvider,
} from "@openclaw/plugin-sdk/plugin-entry";
import { expectObject, expectText } from "../registration/check.js";
import { readSpeechProvider } from "../registration/providers/speech.js";
import { readWebSearchProvider } from "../registration/providers/web-search.js";
import type { Registrar } from "../registration/registrar.js";
import { imageTool, webSearchTool } from "./provider-tools.js";

/** Longest transcription of one recording, in milliseconds. */
const TRANSCRIPTION_MS = 60_000;

/** Registration methods without an effect on this host, and what therefore does not work. */
const UNSERVED = {
  registerWebFetchProvider: "agents fetch pages with the host's own web_fetch",
  registerRealtimeTranscriptionProvider: "there are no live calls to transcribe",
  registerRealtimeVoiceProvider: "there are no live calls",
  registerVideoGenerationProvider: "agents cannot generate videos",
  registerMusicGenerationProvider: "agents cannot generate music",
  registerCliBackend: "agents do not run through its program",
  registerTextTransforms: "its replacements in messages are not made",
  registerMigrationProvider: "its data is not migrated",
  registerNodeHostCommand: "its command is not offered to devices",
  registerSecurityAuditCollector: "doctor does not show its findings",
  registerConfigMigration: "its configuration is not migrated",
  registerAutoEnableProbe: "it is enabled by the configuration only",
  registerSessionSchedulerJob: "its job does not run",
  registerControlUiDescriptor: "the console of this host shows pages of registerPanel only",
  onConversationBindingResolved: "conversations cannot be bound to it",
};

/** Groups of the `api` that the flat methods are aliases of. */
export interface RegistrarGroups {
  readonly lifecycle: Pick<OpenClawPluginApi["lifecycle"], "registerRuntimeLifecycle">;
  readonly events: AgentEvents;
  readonly controls: SessionControls;
  readonly runContext: RunContext;
}

/**
 * Creates the registration methods of older versions of the API (PLUG-056).
 * @param registrar - adds registrations to the registry
 * @param groups - groups with the current methods
 * @param api - methods that the older ones use
 */
export function createOlderRegistrars(
  registrar: Registrar,
  { lifecycle, events, controls, runContext }: RegistrarGroups,
  api: Pick<OpenClawPluginApi, "on" | "registerTool"> & { config(): OpenClawPluginApi["config"] },
): OlderRegistrars {
  const { instance } = registrar;
  const { origin } = instance;
  return {
    ...unservedRegistrars(registrar),
    registerRuntimeLifecycle: lifecycle.registerRuntimeLifecycle,
    registerAgentEventSubscription: events.registerAgentEventSubscription,
    emitAgentEvent: events.emitAgentEvent,
    registerSessionAction: controls.registerSessionAction,
    ...runContext,
    registerWebSearchProvider(provider) {
      if (!isToolProvider(provider)) {
        registrar.add("registerWebSearchProvider", "webSearchProviders", () =>
          readWebSearchProvider(origin, provider),
        );
        return;
      }
      const call = { origin, member: "registerWebSearchProvider" };
      const tool = registrar.read(call.member, () => webSearchTool(call, provider));
      if (tool !== undefined) api.registerTool(tool, { name: "web_search" });
    },
    registerSpeechProvider(provider) {
      registrar.add("registerSpeechProvider", "speechProviders", () =>
        readSpeechProvider(origin, provider),
      );
    },
    registerImageGenerationProvider(provider) {
      const call = { origin, member: "registerImageGenerationProvider" };
      const tool = registrar.read(call.member, () => imageTool(call, provider, api.config));
      if (tool !== undefined) api.registerTool(tool);
    },
    registerMediaUnderstandingProvider(provider) {
      const call = { origin, member: "registerMediaUnderstandingProvider" };
      const id = registrar.read(call.member, () => {
        expectObject(call, "provider", provider);
        return expectText(call, "id", provider.id);
      });
      if (id === undefined) return;
      if (typeof provider.transcribeAudio !== "function") {
        tellUnserved(registrar, call.member, "images and videos are not described by it");
        return;
      }
      const transcribe = provider.transcribeAudio.bind(provider);
      api.on("transcribe_audio", async ({ audio, attachmentIndex }) => {
        const buffer = await audio.read();
        const fileName = `audio-${attachmentIndex}`;
        const mime = audio.mimeType;
        const { text } = await transcribe({ buffer, fileName, mime, timeoutMs: TRANSCRIPTION_MS });
        return { handled: true, text, provider: id };
      });
    },
  };
}

function isToolProvider(
  provider: WebSearchProvider | WebToolProvider,
): provider is WebToolProvider {
  const isObject = typeof provider === "object" && provider !== null;
  return !isObject || !("search" in provider);
}

/** Returns the methods that are accepted without an effect. */
function unservedRegistrars(registrar: Registrar): Readonly<Record<string, () => void>> {
  return Object.fromEntries(
    Object.entries(UNSERVED).map(([member, missing]) => [
      member,
      () => tellUnserved(registrar, member, missing),
    ]),
  );
}

/**
 * Reports a registration that has no effect on this host (PLUG-056).
 * @param registrar - registrar of the plugin
 * @param member - the method that the plugin called
 * @param missing - the feature that does not work, as a sentence
 */
export function tellUnserved({ instance }: Registrar, member: string, missing: string): void {
  instance.assertUsable(member);
  instance.diagnoseOnce(`unserved ${member}`, {
    level: "warn",
    code: "accepted-not-used",
    message: `plugin "${instance.id}" called api.${member}, which has no effect on this host: ${missing}`,
    hint: "the rest of the plugin works",
    unserved: `registration by ${member}`,
  });
}
