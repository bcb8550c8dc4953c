/** Kinds of extensions that the tools manage. */
export const EXTENSION_KINDS = ["plugin", "mcp"] as const;

/** Kind of an extension: a plugin of this host, or a server of the Model Context Protocol. */
export type ExtensionKind = (typeof EXTENSION_KINDS)[number];

/** Extension in a list. */
export interface Extension {
  readonly name: string;
  readonly kind: ExtensionKind;
  /** For example `loaded`, `disabled`, `ready` or `failing`. */
  readonly state: string;
  /** Address or description. */
  readonly about?: string | undefined;
  /** Reason of the state. */
  readonly reason?: string | undefined;
  /** Names of its tools, as models call them; absent when they are not known. */
  readonly tools?: readonly string[] | undefined;
}

/** Extension after a change. */
export interface ExtensionChange {
  /** Undefined after a removal. */
  readonly extension?: Extension | undefined;
  /** Sentences for the model: what happened, and what is left to do. */
  readonly notes: readonly string[];
}

/** Login that was started. */
export interface ExtensionLogin {
  readonly name: string;
  /** URL of the login page, for the person. */
  readonly url: string;
  /** Place where the browser of the person must be able to reach the gateway. */
  readonly returnsTo: string;
}

/** Extension to install. */
export interface ExtensionInstall {
  readonly name: string;
  readonly url?: string | undefined;
  readonly kind: ExtensionKind;
}

/** Changes the extensions of the gateway (TURN-067). A change holds for the next turn of every conversation. */
export interface ExtensionManagement {
  /**
   * Lists the extensions.
   * @param kind - kind of the extensions; all kinds when absent
   */
  list(kind?: ExtensionKind): Promise<readonly Extension[]>;
  /**
   * Installs a plugin, or adds an MCP server.
   * @param install - name, URL and kind
   */
  install(install: ExtensionInstall): Promise<ExtensionChange>;
  /**
   * Enables a plugin, or accepts an MCP server or its changed tools.
   * @param name - name of the extension
   */
  activate(name: string): Promise<ExtensionChange>;
  /**
   * Starts a login of a person. The credential never passes through the conversation.
   * @param name - name of the extension
   */
  authenticate(name: string): Promise<ExtensionLogin>;
  /**
   * Removes an extension with its settings and its data.
   * @param name - name of the extension
   */
  remove(name: string): Promise<ExtensionChange>;
}
