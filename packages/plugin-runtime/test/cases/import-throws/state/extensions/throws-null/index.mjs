export const register = () => {};
throw null;
