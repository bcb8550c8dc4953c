/**
 * Returns a function that imports a module once; an import that failed is tried again by the next call.
 * @param load - imports the module
 * @deprecated Call `import()` where the module is used; Node evaluates it once.
 */
export function createLazyRuntimeModule<Module>(
  load: () => Promise<Module>,
): () => Promise<Module> {
  return createLazyRuntimeSurface(load, (module) => module);
}

/**
 * Returns a function that imports a module once and gives a part of it.
 * @param load - imports the module
 * @param select - returns the part
 * @deprecated Call `import()` where the module is used; Node evaluates it once.
 */
export function createLazyRuntimeSurface<Module, Surface>(
  load: () => Promise<Module>,
  select: (module: Module) => Surface,
): () => Promise<Surface> {
  let loading: Promise<Surface> | undefined;
  return () => {
    loading ??= load()
      .then(select)
      .catch((error: unknown) => {
        loading = undefined;
        throw error;
      });
    return loading;
  };
}

/**
 * Returns a function that imports a module once and gives one of its exports.
 * @param load - imports the module
 * @param name - name of the export
 * @deprecated Call `import()` where the module is used; Node evaluates it once.
 */
export function createLazyRuntimeNamedExport<Module, Name extends keyof Module>(
  load: () => Promise<Module>,
  name: Name,
): () => Promise<Module[Name]> {
  return createLazyRuntimeSurface(load, (module) => module[name]);
}

/**
 * Returns a function that imports its implementation with the first call.
 * @param load - imports the module
 * @param select - returns the implementation
 * @deprecated Call `import()` where the module is used; Node evaluates it once.
 */
export function createLazyRuntimeMethod<Surface, Given extends unknown[], Result>(
  load: () => Promise<Surface>,
  select: (surface: Surface) => (...given: Given) => Result | Promise<Result>,
): (...given: Given) => Promise<Result> {
  return async (...given) => await select(await load())(...given);
}

/**
 * Returns a function that makes functions which import their implementation with the first call.
 * @param load - imports the module of all of them
 * @deprecated Call `import()` where the module is used; Node evaluates it once.
 */
export function createLazyRuntimeMethodBinder<Surface>(load: () => Promise<Surface>) {
  return <Given extends unknown[], Result>(
    select: (surface: Surface) => (...given: Given) => Result | Promise<Result>,
  ): ((...given: Given) => Promise<Result>) => createLazyRuntimeMethod(load, select);
}
