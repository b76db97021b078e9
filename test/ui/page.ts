import { getNodeText, queryAllByRole } from '@testing-library/dom';
import { expect } from 'vitest';

/**
 * The window as a person meets it, by names on screen. It has the words of Playwright, so that a spec moves between jsdom and a
 * browser as it is: a locator finds its element anew at every use, and every use waits until there is one.
 */
export type Text = string | RegExp;
interface Exact {
  readonly exact?: boolean;
}
/** What a role is further asked for: each state as assistive technology hears it. */
interface RoleOptions extends Exact {
  readonly name?: Text;
  readonly level?: number;
  readonly expanded?: boolean;
  readonly selected?: boolean;
}
export interface Mouse {
  readonly button?: 'left' | 'right';
  readonly modifiers?: readonly ('Shift' | 'Control')[];
}
export interface Locator {
  getByRole(role: string, options?: RoleOptions): Locator;
  getByText(text: Text, options?: Exact): Locator;
  getByLabel(text: Text, options?: Exact): Locator;
  getByTitle(text: Text): Locator;
  /** By CSS; `..` is the element around. */
  locator(css: string): Locator;
  filter(options: { readonly hasText?: Text; readonly has?: Locator }): Locator;
  or(other: Locator): Locator;
  first(): Locator;
  last(): Locator;
  nth(index: number): Locator;
  /** What is found at this moment. */
  all(): readonly HTMLElement[];
  /** The one element, once there is one. */
  element(): Promise<HTMLElement>;
  click(mouse?: Mouse): Promise<void>;
  dblclick(): Promise<void>;
  check(): Promise<void>;
  uncheck(): Promise<void>;
  blur(): Promise<void>;
  count(): number;
  allTextContents(): readonly string[];
  focus(): Promise<void>;
  /** Puts a text in the place of the one in a field. */
  fill(text: string): Promise<void>;
  press(keys: string): Promise<void>;
  selectOption(label: string): Promise<void>;
  setInputFiles(files: readonly File[]): Promise<void>;
  drop(files: readonly File[]): Promise<void>;
  paste(text: string): Promise<void>;
  textContent(): Promise<string>;
  getAttribute(name: string): Promise<string | null>;
}
export interface Page extends Pick<Locator, 'getByRole' | 'getByText' | 'getByLabel' | 'locator'> {
  readonly keyboard: {
    press(keys: string): Promise<void>;
    type(text: string): Promise<void>;
  };
}

/**
 * How long anything is waited for, in milliseconds. What is there at once is not waited for; where a fault was planted, less is
 * enough.
 */
const PATIENCE_MS = Number(process.env['WINDOW_PATIENCE_MS'] ?? 60_000);
/** Pauses between looks begin with the first and grow to the second, because a look at a whole window is work. */
const LOOK_AGAIN_MS = 15;
const LOOK_AGAIN_MOST_MS = 120;

const pause = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));

/**
 * Looks until there is an answer, and throws the last problem when there never is. A problem is put into words only then:
 * looking through the whole page for it costs as much as the look itself.
 */
export async function patiently<T>(look: () => { readonly found: T } | { readonly problem: () => string }): Promise<T> {
  const until = performance.now() + PATIENCE_MS;
  for (let wait = LOOK_AGAIN_MS; ; wait = Math.min(LOOK_AGAIN_MOST_MS, wait * 1.2)) {
    const seen = look();
    if ('found' in seen) return seen.found;
    if (performance.now() > until) throw new Error(seen.problem());
    await pause(wait);
  }
}

export const inLine = (text: string | null): string => (text ?? '').replace(/\s+/g, ' ').trim();

/**
 * Whether a text is the one that is meant. Blanks do not count: whether there is one between two parts is a matter of
 * styles, which are not loaded here.
 */
function matches(text: string, wanted: Text, exact = false): boolean {
  if (typeof wanted !== 'string') return wanted.test(text);
  const [said, meant] = [text, wanted].map((each) => each.replace(/\s+/g, ''));
  if (said === undefined || meant === undefined) return false;
  return exact ? said === meant : said.toLowerCase().includes(meant.toLowerCase());
}

/** Styles are not loaded here, so only what elements themselves say hides them. */
export const isVisible = (element: Element): boolean =>
  element.isConnected &&
  element.closest('[hidden], [aria-hidden="true"]') === null &&
  !hasHiddenParent(element) &&
  (element.closest('details:not([open])') === null || element.closest('summary') !== null);

function hasHiddenParent(element: Element): boolean {
  for (let at: Element | null = element; at !== null; at = at.parentElement) {
    if (at instanceof HTMLElement && (at.style.display === 'none' || at.style.visibility === 'hidden')) return true;
  }
  return false;
}

/** The innermost elements that say it. What does not even hold it has no part that says it, and is not looked into. */
function byText(within: ParentNode, text: Text, exact: boolean): HTMLElement[] {
  const found: HTMLElement[] = [];
  const look = (element: Element): boolean => {
    if (element.matches('script, style')) return false;
    const said = inLine(element.textContent);
    if (typeof text === 'string' && !matches(said, text)) return false;
    const isSaidWithin = [...element.children].map(look).includes(true);
    const isSaid = matches(said, text, exact);
    if (isSaid && !isSaidWithin) found.push(element as HTMLElement);
    return isSaid;
  };
  for (const child of within.children) look(child);
  return found;
}

function labelsOf(element: Element): readonly string[] {
  const by = element.getAttribute('aria-labelledby')?.split(/\s+/) ?? [];
  if (by.length > 0) return [by.map((id) => document.getElementById(id)?.textContent ?? '').join(' ')];
  const own = element.getAttribute('aria-label');
  const labels = 'labels' in element ? (element.labels as NodeListOf<Element> | null) : null;
  return [...(own === null ? [] : [own]), ...[...(labels ?? [])].map((label) => textWithoutField(label))];
}
/** A field inside its label is no part of what the label says. */
function textWithoutField(label: Element): string {
  const copy = label.cloneNode(true) as Element;
  for (const field of copy.querySelectorAll('select, textarea')) field.remove();
  return copy.textContent ?? '';
}

type Find = () => readonly HTMLElement[];

function locate(what: string, find: Find): Locator {
  const within = (name: string, look: (parent: HTMLElement) => readonly HTMLElement[]): Locator =>
    locate(`${what} > ${name}`, () => [...new Set(find().flatMap(look))]);
  const one = (isUsed = false): Promise<HTMLElement> =>
    patiently(() => {
      const found = find();
      const [element] = found;
      if (element === undefined) return { problem: () => `nothing is ${what}\n${outline()}` };
      if (found.length > 1) {
        const names = () => found.map((each) => each.outerHTML.slice(0, 120)).join('\n');
        return { problem: () => `${found.length} elements are ${what}:\n${names()}` };
      }
      if (isUsed && (isDisabled(element) || element.getAttribute('aria-disabled') === 'true')) {
        return { problem: () => `${what} stays disabled` };
      }
      return { found: element };
    });
  /** The element, once it can be used. */
  const ready = (): Promise<HTMLElement> => one(true);
  const use = async (work: (element: HTMLElement) => void): Promise<void> => {
    work(await ready());
    // What it set off is drawn before anything else is done.
    await pause(0);
  };
  return {
    getByRole: (role, options = {}) =>
      within(`${role} ${String(options.name ?? '')}`, (parent) => byRole(parent, role, options)),
    getByText: (text, { exact = false } = {}) =>
      within(`text ${String(text)}`, (parent) => byText(parent, text, exact).filter(isVisible)),
    getByLabel: (text, { exact = false } = {}) =>
      within(`label ${String(text)}`, (parent) =>
        [
          ...parent.querySelectorAll<HTMLElement>('input, select, textarea, button, [aria-label], [aria-labelledby]'),
        ].filter((element) => labelsOf(element).some((label) => matches(inLine(label), text, exact))),
      ),
    getByTitle: (text) =>
      within(`title ${String(text)}`, (parent) =>
        [...parent.querySelectorAll<HTMLElement>('[title]')].filter(({ title }) => matches(title, text)),
      ),
    locator: (css) =>
      within(css, (parent) =>
        css === '..'
          ? parent.parentElement === null
            ? []
            : [parent.parentElement]
          : [...parent.querySelectorAll<HTMLElement>(css)],
      ),
    filter: ({ hasText = '', has }) =>
      locate(`${what} with ${String(hasText)}`, () => {
        const inner = has?.all();
        return find().filter(
          (element) =>
            matches(inLine(element.textContent), hasText) && inner?.some((each) => element.contains(each)) !== false,
        );
      }),
    or: (other) => locate(`${what} or another`, () => [...new Set([...find(), ...other.all()])]),
    first: () => locate(`first ${what}`, () => find().slice(0, 1)),
    last: () => locate(`last ${what}`, () => find().slice(-1)),
    nth: (index) => locate(`${what} at ${index}`, () => find().slice(index, index + 1)),
    all: find,
    element: () => one(),
    click: (mouse) => use((element) => click(element, mouse)),
    dblclick: async () => {
      await use((element) => click(element));
      await use((element) => click(element, {}, 2));
      await use(
        (element) => void send(element, new MouseEvent('dblclick', { bubbles: true, cancelable: true, detail: 2 })),
      );
    },
    check: () => use((element) => void ((element as HTMLInputElement).checked || click(element))),
    uncheck: () => use((element) => void ((element as HTMLInputElement).checked && click(element))),
    blur: () => use((element) => element.blur()),
    count: () => find().length,
    allTextContents: () => find().map((element) => inLine(element.textContent)),
    focus: () => use((element) => element.focus()),
    fill: (text) =>
      use((element) => {
        element.focus();
        setValue(element, text);
      }),
    press: async (keys) => {
      (await ready()).focus();
      await press(keys);
    },
    selectOption: (label) =>
      use((element) => {
        const select = element as HTMLSelectElement;
        const option = [...select.options].find((each) => inLine(each.textContent) === label || each.value === label);
        if (option === undefined) throw new Error(`${what} has no option ${label}`);
        setValue(select, option.value);
        send(select, new Event('change', { bubbles: true }));
      }),
    setInputFiles: (files) =>
      use((element) => {
        Object.defineProperty(element, 'files', { value: files, configurable: true });
        send(element, new Event('change', { bubbles: true }));
      }),
    drop: (files) =>
      use((element) => {
        const dataTransfer = { types: ['Files'], files, items: [], dropEffect: 'none' };
        for (const type of ['dragover', 'drop']) {
          send(element, Object.assign(new Event(type, { bubbles: true, cancelable: true }), { dataTransfer }));
        }
      }),
    paste: (text) => use((element) => paste(element, text)),
    textContent: async () => (await one()).textContent ?? '',
    getAttribute: async (name) => (await one()).getAttribute(name),
  };
}

/** Names are asked of those alone that have the role, because a name costs most. */
function byRole(
  within: HTMLElement,
  role: string,
  { name, exact = false, ...states }: RoleOptions,
): readonly HTMLElement[] {
  const named =
    name === undefined ? {} : { name: (said: string, element: Element) => isNamed(inLine(said), element, name, exact) };
  return queryAllByRole(within, role, { ...named, ...states, hidden: true }).filter(isVisible);
}

/** A pattern may count on the blanks that styles put between the parts of a name. */
const isNamed = (said: string, element: Element, name: Text, exact: boolean): boolean =>
  matches(said, name, exact) ||
  (typeof name !== 'string' && inLine(element.textContent) === said && name.test(inLine(partsOf(element))));
const partsOf = (node: Node): string =>
  node instanceof Element ? [...node.childNodes].map(partsOf).join(' ') : (node.textContent ?? '');

/** What stands on the page, for a report. */
const outline = (): string =>
  [...document.querySelectorAll('h1, h2, [role="dialog"], [role="alert"]')]
    .map(
      (element) =>
        `  ${element.tagName.toLowerCase()}: ${getNodeText(element as HTMLElement) || inLine(element.textContent).slice(0, 2500)}`,
    )
    .join('\n');

const send = (element: EventTarget, event: Event): boolean => element.dispatchEvent(event);

const FOCUSABLE = 'input, select, textarea, button, a[href], summary, [tabindex]';

function click(element: HTMLElement, { button = 'left', modifiers = [] }: Mouse = {}, detail = 1): void {
  const held = {
    bubbles: true,
    cancelable: true,
    button: button === 'left' ? 0 : 2,
    buttons: button === 'left' ? 1 : 2,
    shiftKey: modifiers.includes('Shift'),
    ctrlKey: modifiers.includes('Control'),
    detail,
  };
  send(element, new PointerEvent('pointerdown', held));
  if (send(element, new MouseEvent('mousedown', held))) {
    const target = element.closest<HTMLElement>(FOCUSABLE);
    if (target === null) (document.activeElement as HTMLElement | null)?.blur();
    else target.focus();
  }
  if (button === 'right') send(element, new MouseEvent('contextmenu', held));
  send(element, new PointerEvent('pointerup', { ...held, buttons: 0 }));
  send(element, new MouseEvent('mouseup', { ...held, buttons: 0 }));
  if (button === 'left') send(element, new MouseEvent('click', { ...held, buttons: 0 }));
}

/** React listens to the setter of the prototype alone. */
function setValue(element: HTMLElement, value: string): void {
  const setter = Object.getOwnPropertyDescriptor(Object.getPrototypeOf(element), 'value')?.set;
  if (setter === undefined) throw new Error(`${element.outerHTML.slice(0, 120)} is no field`);
  setter.call(element, value);
  send(element, new Event('input', { bubbles: true }));
}

const isField = (element: Element | null): element is HTMLInputElement | HTMLTextAreaElement =>
  element instanceof HTMLTextAreaElement ||
  (element instanceof HTMLInputElement && !['checkbox', 'radio', 'button', 'submit', 'file'].includes(element.type));

const CODES: Readonly<Record<string, string>> = { ',': 'Comma', ' ': 'Space', '/': 'Slash', '.': 'Period' };
const codeOf = (key: string): string =>
  CODES[key] ?? (/^[a-z]$/i.test(key) ? `Key${key.toUpperCase()}` : /^\d$/.test(key) ? `Digit${key}` : key);

/** A key with those that are held, as `Control+Shift+F`, and what a browser does when nobody prevents it. */
async function press(keys: string): Promise<void> {
  const parts = keys.split('+');
  const named = parts.pop() ?? '';
  const key = named === 'Space' ? ' ' : named;
  const has = (name: string): boolean => parts.includes(name);
  const held = { shiftKey: has('Shift'), ctrlKey: has('Control'), altKey: has('Alt'), metaKey: has('Meta') };
  const target = document.activeElement ?? document.body;
  const options = { key, code: codeOf(key), bubbles: true, cancelable: true, ...held };
  const goesOn = send(target, new KeyboardEvent('keydown', options));
  // Opening an editor moves the focus, and the text then goes there.
  const at = document.activeElement ?? document.body;
  if (goesOn && held.ctrlKey && key.toLowerCase() === 'a' && isField(at)) at.select();
  else if (goesOn && held.ctrlKey && !held.altKey && !held.shiftKey && (key === 'c' || key === 'x')) copy(at, key);
  else if (goesOn && held.ctrlKey && !held.altKey && !held.shiftKey && key === 'v')
    paste(at, await clipboard.readText());
  else if (goesOn && key === 'F10' && held.shiftKey)
    send(at, new MouseEvent('contextmenu', { bubbles: true, cancelable: true }));
  else if (goesOn && key === 'Tab') tab(at, held.shiftKey);
  else if (goesOn) defaultAction(at, key, held.ctrlKey || held.altKey || held.metaKey);
  if (at.isConnected) send(at, new KeyboardEvent('keyup', options));
  await pause(0);
}

function paste(at: Element, text: string): void {
  const clipboardData = { getData: () => text };
  send(at, Object.assign(new Event('paste', { bubbles: true, cancelable: true }), { clipboardData }));
}
function copy(at: Element, key: string): void {
  const clipboardData = { setData: (_type: string, text: string) => void clipboard.writeText(text) };
  const type = key === 'c' ? 'copy' : 'cut';
  send(at, Object.assign(new Event(type, { bubbles: true, cancelable: true }), { clipboardData }));
}

/** The clipboard of the system, which jsdom does not have. */
let copied = '';
export const clipboard = {
  readText: async (): Promise<string> => copied,
  writeText: async (text: string): Promise<void> => {
    copied = text;
  },
  write: async ([item]: readonly ClipboardItem[]): Promise<void> => {
    copied = (await (await item?.getType('text/plain'))?.text()) ?? '';
  },
};
Object.defineProperty(navigator, 'clipboard', { value: clipboard, configurable: true });

/** In the place of what is selected, as a browser puts it. */
function typeInto(field: HTMLInputElement | HTMLTextAreaElement, typed: string): void {
  const { value } = field;
  const from = field.selectionStart ?? value.length;
  setValue(field, `${value.slice(0, from)}${typed}${value.slice(field.selectionEnd ?? value.length)}`);
  if (field.selectionStart !== null) field.setSelectionRange(from + typed.length, from + typed.length);
}

/** To the next element that takes the focus, or the one before. */
function tab(at: Element, isBack: boolean): void {
  const stops = [...document.querySelectorAll<HTMLElement>(FOCUSABLE)].filter(
    (each) => each === at || (each.tabIndex >= 0 && !each.matches(':disabled, :disabled *') && isVisible(each)),
  );
  const next = stops[stops.indexOf(at as HTMLElement) + (isBack ? -1 : 1)];
  if (next === undefined) (at as HTMLElement).blur();
  else next.focus();
}

function defaultAction(at: Element, key: string, isCommand: boolean): void {
  if (isCommand) return;
  if (key === 'Enter' && at.matches('button, a[href], summary')) click(at as HTMLElement);
  else if (key === 'Enter' && at instanceof HTMLInputElement) at.form?.requestSubmit();
  else if (key === ' ' && at.matches('button, [type="checkbox"], [type="radio"]')) click(at as HTMLElement);
  else if (key.length === 1 && isField(at)) typeInto(at, key);
  else if (key === 'Enter' && at instanceof HTMLTextAreaElement) typeInto(at, '\n');
}

export const page: Page = {
  ...locate('on the page', () => [document.documentElement]),
  keyboard: {
    press,
    type: async (text) => {
      for (const key of text) await press(key === '\n' ? 'Enter' : key);
    },
  },
};

/** What is true of a locator, each waited for as long as it takes: `await expect(locator).toHaveText('1.50')`. */
interface PageMatchers {
  toBeVisible(): Promise<void>;
  toBeHidden(): Promise<void>;
  toBeEnabled(): Promise<void>;
  toBeDisabled(): Promise<void>;
  toBeChecked(): Promise<void>;
  toBeFocused(): Promise<void>;
  toHaveCount(count: number): Promise<void>;
  toHaveText(text: Text): Promise<void>;
  toContainText(text: Text): Promise<void>;
  toHaveValue(value: Text): Promise<void>;
  toHaveAttribute(name: string, value: Text): Promise<void>;
}
declare module 'vitest' {
  interface Matchers<R extends void | Promise<void> = void | Promise<void>, T = unknown> extends PageMatchers {}
}

const same = (said: string, wanted: Text): boolean =>
  typeof wanted === 'string' ? said === inLine(wanted) : wanted.test(said);
const includes = (said: string, wanted: Text): boolean =>
  typeof wanted === 'string' ? said.toLowerCase().includes(inLine(wanted).toLowerCase()) : wanted.test(said);

type Judge = (found: readonly HTMLElement[], ...wanted: readonly never[]) => readonly [holds: boolean, is: unknown];

/** What is asked of one element holds of none. */
const ofOne =
  <W extends readonly unknown[]>(judge: (element: HTMLElement, ...wanted: W) => readonly [boolean, unknown]) =>
  (found: readonly HTMLElement[], ...wanted: W): readonly [boolean, unknown] => {
    const [element] = found;
    if (element === undefined) return [false, 'nothing'];
    if (found.length > 1) return [false, `${found.length} elements`];
    return judge(element, ...wanted);
  };
const isDisabled = (element: Element): boolean => element.matches(':disabled, :disabled *');
const text = (element: HTMLElement): string => inLine(element.textContent);

const JUDGES = {
  toBeVisible: ofOne((element) => [isVisible(element), text(element).slice(0, 200)]),
  toBeHidden: (found: readonly HTMLElement[]) => [!found.some(isVisible), found.map(text).join().slice(0, 300)],
  toBeEnabled: ofOne((element) => [!isDisabled(element), 'disabled']),
  toBeDisabled: ofOne((element) => [isDisabled(element), 'enabled']),
  toBeChecked: ofOne((element) => [(element as HTMLInputElement).checked, 'not checked']),
  toBeFocused: ofOne((element) => [
    document.activeElement === element,
    document.activeElement?.outerHTML.slice(0, 200),
  ]),
  toHaveCount: (found: readonly HTMLElement[], count: number) => [found.length === count, found.length],
  toHaveText: ofOne((element, wanted: Text) => [same(text(element), wanted), text(element)]),
  toContainText: ofOne((element, wanted: Text) => [includes(text(element), wanted), text(element).slice(0, 1500)]),
  toHaveValue: ofOne((element, wanted: Text) => {
    const { value } = element as HTMLInputElement;
    return [typeof wanted === 'string' ? value === wanted : wanted.test(value), value];
  }),
  toHaveAttribute: ofOne((element, name: string, wanted: Text) => {
    const value = element.getAttribute(name);
    return [value !== null && same(value, wanted), value];
  }),
} as const satisfies Record<keyof PageMatchers, Judge>;

expect.extend(
  Object.fromEntries(
    Object.entries(JUDGES).map(([name, judge]) => [
      name,
      async function (this: { readonly isNot: boolean }, locator: Locator, ...wanted: readonly unknown[]) {
        const asked = judge as (
          found: readonly HTMLElement[],
          ...rest: readonly unknown[]
        ) => readonly [boolean, unknown];
        try {
          await patiently(() => {
            const [holds, is] = asked(locator.all(), ...wanted);
            return holds === !this.isNot ? { found: true } : { problem: () => `it is ${String(is)}\n${outline()}` };
          });
          return { pass: !this.isNot, message: () => '' };
        } catch (error) {
          const problem = error instanceof Error ? error.message : String(error);
          return { pass: this.isNot, message: () => `${name} ${wanted.map(String).join(' ')}: ${problem}` };
        }
      },
    ]),
  ),
);

export { expect };
