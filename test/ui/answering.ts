/** The same with another answer under one name, such as an operation of main that is slow or stands still. */
export const answering = <T extends object, K extends keyof T>(usual: T, name: K, answer: T[K]): T =>
  new Proxy(usual, { get: (target, asked) => (asked === name ? answer : Reflect.get(target, asked)) });
