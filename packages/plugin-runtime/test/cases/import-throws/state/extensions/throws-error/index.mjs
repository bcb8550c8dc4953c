export const register = () => {};
throw new Error("no licence");
