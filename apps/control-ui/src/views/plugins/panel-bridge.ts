import type { PanelHello, PanelMessage } from "@openclaw/plugin-sdk/plugin-entry";
import { effect } from "@preact/signals";
import { isRecord } from "../../components/schema-form/schema.js";
import { faultOf } from "../../state/fault.js";
import { connection } from "../../state/link.js";
import { theme } from "../../state/theme.js";
import type { PluginDetails } from "./plugins.js";

/** A panel as the gateway describes it. */
export type Panel = PluginDetails["panels"][number];

/** Limits of what a page may ask of the console. */
const OPEN_CALLS = 16;
const PARAMETER_BYTES = 64 * 1024;
const HEIGHTS = { least: 80, most: 4000 } as const;

const dark = matchMedia("(prefers-color-scheme: dark)");

/** The only connection between a panel and the console (UI-039): its messages are checked, and no other is heard. */
export class PanelBridge {
  readonly #panel: Panel;
  readonly #port: MessagePort;
  readonly #ends: (() => void)[] = [];
  #open = 0;

  /**
   * Gives the port to the page of a panel.
   * @param page - window of the frame, which has loaded the panel
   * @param panel - what the plugin declared
   * @param onHeight - receives the height in pixels that the page wants
   */
  constructor(page: Window, plugin: string, panel: Panel, onHeight: (height: number) => void) {
    this.#panel = panel;
    const { port1, port2 } = new MessageChannel();
    this.#port = port1;
    port1.onmessage = ({ data }: MessageEvent<unknown>) => {
      if (isRecord(data) && "height" in data) {
        const height = Number(data.height);
        if (Number.isFinite(height)) {
          onHeight(Math.min(Math.max(height, HEIGHTS.least), HEIGHTS.most));
        }
        return;
      }
      void this.#answer(data);
    };
    const hello: PanelHello = {
      openclaw: "panel",
      version: 1,
      plugin,
      panel: panel.id,
      methods: panel.methods,
      events: panel.events,
      theme: shownTheme(),
      locale: navigator.language,
    };
    // The sandbox has an origin without a name; the frame shows nothing else, for the policy allows only this gateway.
    page.postMessage(hello, "*", [port2]);
    this.#ends.push(
      effect(() =>
        connection.value?.onAny(({ name, payload }) => {
          if (panel.events.includes(name)) this.#send({ event: name, payload });
        }),
      ),
      effect(() => this.#send({ theme: shownTheme() })),
    );
    const follow = () => this.#send({ theme: shownTheme() });
    dark.addEventListener("change", follow);
    this.#ends.push(() => dark.removeEventListener("change", follow));
  }

  /** Ends the connection; answers that are under way are dropped. */
  close(): void {
    for (const end of this.#ends) end();
    this.#port.close();
  }

  #send(message: PanelMessage): void {
    this.#port.postMessage(message);
  }

  async #answer(data: unknown): Promise<void> {
    const id = isRecord(data) && Number.isSafeInteger(data.id) ? Number(data.id) : null;
    const fail = (code: string, message: string) => this.#send({ id, error: { code, message } });
    const method = isRecord(data) ? data.call : undefined;
    const params = (isRecord(data) ? data.params : undefined) ?? {};
    if (id === null || typeof method !== "string" || !isRecord(params)) {
      return fail("PANEL_MESSAGE", "expected { id, call, params } or { height }");
    }
    if (!this.#panel.methods.includes(method)) {
      const declared = this.#panel.methods.join(", ");
      return fail("PANEL_NOT_DECLARED", `the panel may call: ${declared || "no method"}`);
    }
    if (this.#open >= OPEN_CALLS) {
      return fail("PANEL_BUSY", `at most ${OPEN_CALLS} calls may be open; wait for an answer`);
    }
    this.#open += 1;
    try {
      // A value that is not JSON has no effect beyond this page.
      if (JSON.stringify(params).length > PARAMETER_BYTES) {
        return fail("PANEL_MESSAGE", `params have at most ${PARAMETER_BYTES} characters of JSON`);
      }
      const open = connection.peek();
      if (open === undefined) return fail("PANEL_DISCONNECTED", "no user is signed in");
      this.#send({ id, result: await open.invoke(method, params) });
    } catch (error) {
      const { code, message } = faultOf(error);
      fail(code ?? "PANEL_FAILED", message);
    } finally {
      this.#open -= 1;
    }
  }
}

function shownTheme(): "light" | "dark" {
  if (theme.value !== "system") return theme.value;
  return dark.matches ? "dark" : "light";
}
