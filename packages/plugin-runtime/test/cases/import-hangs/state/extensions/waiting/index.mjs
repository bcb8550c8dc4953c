await new Promise(() => {});
export const register = () => {};
