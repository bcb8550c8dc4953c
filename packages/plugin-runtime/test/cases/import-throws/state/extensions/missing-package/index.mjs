import "left-behind";

export const register = () => {};
