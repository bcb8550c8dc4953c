import { type ErrorKind, OpenClawError } from "@openclaw/foundation/errors";

/** Base of the errors of this package; `isInstance` recognises one across copies of the package. */
export class CreatePluginError extends OpenClawError {
  static override readonly code: string = "CREATE_PLUGIN";
  static override readonly kind: ErrorKind = "invalid";
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
  static override readonly kind = "conflict";
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
  static override readonly kind = "forbidden";
  readonly folder: string;

  /**
   * @param folder - absolute
   * @param cause - error of the operating system
   */
  constructor(folder: string, cause: unknown) {
    const reason = cause instanceof Error ? cause.message : String(cause);
    super(
      `the plugin cannot be written to ${folder}: ${reason}; choose a folder that you can write to`,
      { cause },
    );
    this.folder = folder;
  }
}
