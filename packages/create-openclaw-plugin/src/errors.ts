const BRAND = Symbol.for("openclaw.create-plugin.error");

interface ErrorClass {
  readonly code: string;
}

/** Base of the errors of this package; `isInstance` recognises one across copies of the package. */
export class CreatePluginError extends Error {
  static readonly code: string = "CREATE_PLUGIN";
  readonly code: string;

  /** @param message - what was expected and found, and the next step */
  constructor(message: string) {
    super(message);
    this.name = new.target.name;
    this.code = new.target.code;
    Object.defineProperty(this, BRAND, { value: true });
  }

  /**
   * Whether a value is an error of this class.
   * @param value - anything that was thrown
   */
  static isInstance<E extends CreatePluginError>(
    this: ErrorClass & { prototype: E },
    value: unknown,
  ): value is E {
    if (typeof value !== "object" || value === null || !(BRAND in value)) return false;
    return this.code === CreatePluginError.code || ("code" in value && value.code === this.code);
  }
}

/** The command was given something that it does not understand, or too little. */
export class CreatePluginUsageError extends CreatePluginError {
  static override readonly code = "CREATE_PLUGIN_USAGE";
}

/** A plugin cannot have the id. */
export class PluginIdInvalidError extends CreatePluginError {
  static override readonly code = "CREATE_PLUGIN_ID_INVALID";
  readonly id: string;

  constructor(id: string) {
    super(
      `a plugin cannot have the id ${JSON.stringify(id)}: expected lower-case letters, digits, and . _ - ` +
        "behind the first character, with a scope like @acme/ in front if you want one, at most 100 " +
        "characters; for example my-plugin",
    );
    this.id = id;
  }
}

/** The folder holds files that would be overwritten. */
export class FilesInTheWayError extends CreatePluginError {
  static override readonly code = "CREATE_PLUGIN_FILES_IN_THE_WAY";
  readonly folder: string;
  readonly files: readonly string[];

  constructor(folder: string, files: readonly string[]) {
    super(
      `${folder} already has ${files.join(", ")}; nothing was written. Choose another folder, or move them away.`,
    );
    this.folder = folder;
    this.files = files;
  }
}

/** The system did not let the files of a new plugin be written. */
export class ProjectNotWrittenError extends CreatePluginError {
  static override readonly code = "CREATE_PLUGIN_NOT_WRITTEN";
  readonly folder: string;

  /**
   * @param folder - absolute
   * @param cause - what the system said
   */
  constructor(folder: string, cause: unknown) {
    const reason = cause instanceof Error ? cause.message : String(cause);
    super(
      `the plugin cannot be written to ${folder}: ${reason}; choose a folder that you can write to`,
    );
    this.folder = folder;
    this.cause = cause;
  }
}
