/**
 * Which components React has drawn inside an element. Read from the tree React keeps beside the page, because the page
 * itself says nothing of components: a part under a name that draws something else would be found nowhere else.
 */
interface Fiber {
  readonly elementType: unknown;
  readonly child: Fiber | null;
  readonly sibling: Fiber | null;
}

/** The components below an element, those that drew its own children included. */
export function drawnIn(element: Element): ReadonlySet<unknown> {
  const key = Object.keys(element).find((name) => name.startsWith('__reactFiber$'));
  if (key === undefined) throw new Error('React did not draw this element, or keeps its tree elsewhere by now.');
  const found = new Set<unknown>();
  const rest: (Fiber | null)[] = [currentOf(Reflect.get(element, key)).child];
  for (let fiber = rest.pop(); fiber !== undefined; fiber = rest.pop()) {
    if (fiber === null) continue;
    found.add(fiber.elementType);
    rest.push(fiber.child, fiber.sibling);
  }
  return found;
}

/** React keeps two trees and swaps them; the one with children that are on the page is the newer of the two. */
function currentOf(fiber: Fiber & { readonly alternate: Fiber | null }): Fiber {
  return fiber.child === null && fiber.alternate !== null ? fiber.alternate : fiber;
}

/** A function or a class with a name in capitals, or what `memo` makes of one. */
export function isComponent(value: unknown): boolean {
  if (typeof value === 'function') return /^[A-Z]/.test(value.name);
  return typeof value === 'object' && value !== null && '$$typeof' in value && 'type' in value;
}
