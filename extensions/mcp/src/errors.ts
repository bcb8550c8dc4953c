import { OpenClawError } from "@openclaw/plugin-sdk/errors";

/** An MCP server cannot be used now; the next call or the next attempt may succeed. */
export class McpServerFailedError extends OpenClawError {
  static override readonly code = "MCP_SERVER_FAILED";
  static override readonly kind = "unavailable";
  readonly server: string;

  /**
   * @param server - name of the server
   * @param problem - reason, as the end of a sentence that begins with the server
   * @param nextStep - action of the operator or of the model
   * @param cause - the underlying error
   */
  constructor(server: string, problem: string, nextStep: string, cause?: unknown) {
    super(`MCP server "${server}" ${problem}; ${nextStep}`, { cause });
    this.server = server;
  }
}

/** The entry of an MCP server is not valid, or the server is not allowed to start. */
export class McpServerRefusedError extends OpenClawError {
  static override readonly code = "MCP_SERVER_REFUSED";
  static override readonly kind = "invalid";
  readonly server: string;

  /**
   * @param server - name of the server
   * @param problem - reason, as the end of a sentence that begins with the server
   * @param nextStep - action of the operator
   */
  constructor(server: string, problem: string, nextStep: string) {
    super(`MCP server "${server}" ${problem}; ${nextStep}`);
    this.server = server;
  }
}

/** A command or a method names an MCP server or tool that does not exist. */
export class McpServerNotFoundError extends OpenClawError {
  static override readonly code = "MCP_SERVER_NOT_FOUND";
  static override readonly kind = "not-found";

  /**
   * @param server - name that was given
   * @param known - names of the servers
   */
  constructor(server: string, known: readonly string[]) {
    const list = known.length === 0 ? "none is configured" : `configured: ${known.join(", ")}`;
    super(`MCP server "${server}" not found (${list}); add it with \`openclaw mcp add\``);
  }
}

/** A tool of an MCP server may not be used until an operator accepts its changed definition. */
export class McpToolSuspendedError extends OpenClawError {
  static override readonly code = "MCP_TOOL_SUSPENDED";
  static override readonly kind = "forbidden";

  /**
   * @param server - name of the server
   * @param tool - name of the tool, as the server gives it
   * @param problem - reason
   */
  constructor(server: string, tool: string, problem: string) {
    super(
      `tool "${tool}" of MCP server "${server}" is suspended: ${problem}; the operator can compare and accept it with \`openclaw mcp accept ${server}\``,
    );
  }
}

/** The arguments of `mcp add` do not describe a server. */
export class McpEntryInvalidError extends OpenClawError {
  static override readonly code = "MCP_ENTRY_INVALID";
  static override readonly kind = "invalid";

  /**
   * @param problem - mistake in the arguments
   * @param nextStep - action of the caller
   */
  constructor(problem: string, nextStep: string) {
    super(`${problem}; ${nextStep}`);
  }
}

/** Servers of another program cannot be taken over as the arguments of `mcp import` ask. */
export class McpImportError extends OpenClawError {
  static override readonly code = "MCP_IMPORT_INVALID";
  static override readonly kind = "invalid";

  /**
   * @param problem - mistake in the arguments, or in the named file
   * @param nextStep - action of the caller
   */
  constructor(problem: string, nextStep: string) {
    super(`${problem}; ${nextStep}`);
  }
}

/** A login at the authorization server of an MCP server failed. */
export class McpAuthError extends OpenClawError {
  static override readonly code = "MCP_AUTH_FAILED";
  static override readonly kind = "invalid";

  /**
   * @param server - name of the server
   * @param problem - reason
   * @param nextStep - action of the operator
   * @param cause - the underlying error
   */
  constructor(server: string, problem: string, nextStep: string, cause?: unknown) {
    super(`login for MCP server "${server}" failed: ${problem}; ${nextStep}`, { cause });
  }
}

/** A browser returned from a login that was not started here, or that has ended. */
export class McpAuthStateError extends OpenClawError {
  static override readonly code = "MCP_AUTH_STATE_UNKNOWN";
  static override readonly kind = "invalid";

  /** @param server - name of the server */
  constructor(server: string) {
    super(
      `no open login for MCP server "${server}" has this state; start it again with \`openclaw mcp auth ${server}\``,
    );
  }
}
