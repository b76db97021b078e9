import type { Client } from '../../renderer/app/transport/connection.ts';

/** The same with another answer under one name, such as an operation of main that is slow or stands still. */
export const answering = <T extends object, K extends keyof T>(usual: T, name: K, answer: T[K]): T =>
  new Proxy(usual, { get: (target, asked) => (asked === name ? answer : Reflect.get(target, asked)) });

/** The paths of main's operations, such as `workspace.edit`. */
type Paths<T, Before extends string = ''> = {
  [K in keyof T & string]: T[K] extends (...call: never) => unknown ? `${Before}${K}` : Paths<T[K], `${Before}${K}.`>;
}[keyof T & string];
type At<T, Path extends string> = Path extends `${infer K}.${infer Rest}`
  ? At<T[K & keyof T], Rest>
  : T[Path & keyof T];

/** Operations of main that answer otherwise, by their paths. */
export type Answers = { readonly [Path in Paths<Client>]?: At<Client, Path> };

export const clientWith = (usual: Client, answers: Answers): Client =>
  Object.entries(answers).reduce((client, [path, answer]) => answeringAt(client, path.split('.'), answer), usual);

function answeringAt<T extends object>(tree: T, [name = '', ...rest]: readonly string[], answer: unknown): T {
  const own = rest.length === 0 ? answer : answeringAt(Reflect.get(tree, name) as object, rest, answer);
  return answering(tree, name as keyof T, own as never);
}

/** An operation that does what it usually does once something else is done, such as waited for. */
export const after =
  <Input, Rest extends readonly unknown[], T>(
    first: (input: NoInfer<Input>) => unknown,
    operation: (input: Input, ...rest: Rest) => Promise<T>,
  ) =>
  async (input: Input, ...rest: Rest): Promise<T> => {
    await first(input);
    return operation(input, ...rest);
  };
