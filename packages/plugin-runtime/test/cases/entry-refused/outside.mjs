globalThis.imported.push("outside");
export const register = () => {};
