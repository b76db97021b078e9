import type { ReactNode } from 'react';

/** A part of the desk in every state it has. */
export interface Part {
  /** Name of the component. */
  readonly name: string;
  /** True for what needs the width of a dialog or more. */
  readonly isWide?: boolean;
  readonly states: Readonly<Record<string, ReactNode>>;
}

/** One state for each member of a union: a new member without an example does not compile. */
export function each<Key extends string>(
  examples: Readonly<Record<Key, unknown>>,
  draw: (key: Key) => ReactNode,
): Readonly<Record<string, ReactNode>> {
  const states: Record<string, ReactNode> = {};
  for (const key in examples) states[key] = draw(key);
  return states;
}
