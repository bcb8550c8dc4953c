const CODE = "MODULE_TYPELESS_PACKAGE_JSON";

/**
 * Loads a module without Node's warning about a `package.json` that has no `type`: only the author of the plugin can
 * act on it, and it would be printed between the lines of a command. Loading is synchronous, and so is the time in
 * which warnings are filtered.
 * @param load - loads the module
 * @param onTypeless - called when Node had to read the module twice to find out that it is an ES module
 */
export function withoutTypelessWarning<T>(load: () => T, onTypeless: () => void): T {
  const { emitWarning } = process;
  process.emitWarning = (...given: unknown[]) => {
    if (codeOf(given) === CODE) return onTypeless();
    Reflect.apply(emitWarning, process, given);
  };
  try {
    return load();
  } finally {
    process.emitWarning = emitWarning;
  }
}

function codeOf([, options, code]: readonly unknown[]): unknown {
  const isObject = typeof options === "object" && options !== null && "code" in options;
  return isObject ? options.code : code;
}
