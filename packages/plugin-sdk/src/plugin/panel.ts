/** Panel of a plugin: a page that the web console shows in a sandboxed frame (SDK-523). */
export interface PluginPanel {
  /** Name of 1 to 64 characters of `a-z 0-9 -`, one for each panel of the plugin. */
  readonly id: string;
  /** Title of its tab in the console, of at most 60 characters. */
  readonly title: string;
  /**
   * Folder within that of the plugin, which has `index.html` and the files of the page: at most 200 files and 8 MiB, which
   * are read at the registration.
   */
  readonly folder: string;
  /**
   * Gateway methods of this plugin that the page may call. The call has the rights of the person at the console; a method
   * of the host or of another plugin is rejected.
   */
  readonly methods?: readonly string[];
  /** Events of this plugin that the page receives, as they are given to `api.gatewayEvents.emit`. */
  readonly events?: readonly string[];
}

/** First message of the console, to the window of the page, with the port for all others (SDK-524). */
export interface PanelHello {
  readonly openclaw: "panel";
  /** Version of the messages. */
  readonly version: 1;
  readonly plugin: string;
  readonly panel: string;
  readonly methods: readonly string[];
  readonly events: readonly string[];
  readonly theme: "light" | "dark";
  /** Language tag of the browser. */
  readonly locale: string;
}

/** Message of a page to the console, over the port. */
export type PanelRequest =
  /** Calls a method; the answer has the same ID. At most 16 calls are open at a time. */
  | {
      readonly id: number;
      readonly call: string;
      readonly params?: Readonly<Record<string, unknown>>;
    }
  /** Sets the height of the frame in pixels, from 80 to 4000. */
  | { readonly height: number };

/** Message of the console to a page, over the port. */
export type PanelMessage =
  | { readonly id: number; readonly result: unknown }
  | {
      readonly id: number | null;
      readonly error: { readonly code: string; readonly message: string };
    }
  | { readonly event: string; readonly payload: unknown }
  | { readonly theme: "light" | "dark" };
