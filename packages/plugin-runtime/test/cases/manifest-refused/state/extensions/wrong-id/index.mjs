globalThis.imported.push(import.meta.url);
export const register = () => {};
