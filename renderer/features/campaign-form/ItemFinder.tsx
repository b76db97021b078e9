import { useDebouncedValue } from '@mantine/hooks';
import { IconCheck, IconSearch, IconX } from '@tabler/icons-react';
import { keepPreviousData, skipToken, useQuery, useQueryClient } from '@tanstack/react-query';
import { type ClipboardEvent, type KeyboardEvent, useEffect, useId, useState } from 'react';
import type { FoundItem } from '../../../shared/api/items.ts';
import type { NewRow } from '../../app/actions.ts';
import { useApi } from '../../app/app-context.ts';
import { editText } from '../../app/locale/cells.ts';
import { countText, moneyText, plural } from '../../app/locale/numbers.ts';
import { toggled } from '../../app/toggled.ts';
import { Chip } from '../../components/Chip.tsx';
import { ItemPage } from '../../components/ItemPage.tsx';
import ui from '../../components/ui.module.css';
import { ServicePicture } from '../../grid/ServicePicture.tsx';
import styles from './campaign-form.module.css';
import { type ItemLine, isItemList, itemLines, itemText, splitItemLines } from './lines.ts';

const texts = {
  search: 'Search items',
  hint: 'Name or item ID, or paste a list',
  results: 'Items found',
  none: 'No matching items.',
  seenOnly: "The catalog can't be searched now. Only items seen before are shown.",
  found: (n: number) => `${plural(n, 'item')} found. Results stay available offline.`,
  searching: 'Searching',
  suggested: (cents: number) => `Suggested ${moneyText(cents)}`,
  variants: (n: number) => plural(n, 'variant'),
  showVariants: (n: number, name: string) => `${plural(n, 'variant')} of ${name}`,
  added: 'Added',
  add: 'Add',
  bid: (name: string) => `Bid for ${name} (USD)`,
  bidShort: 'Bid',
  remove: (name: string) => `Remove ${name}`,
  unknown: 'Name not known yet',
  chosen: 'Chosen items',
  notItems: (lines: readonly string[]) =>
    `${plural(lines.length, 'line')} skipped, because ${lines.length === 1 ? 'it has' : 'they have'} no item ID: ${lines
      .slice(0, SKIPPED_NAMED)
      .map((line) => `"${line.slice(0, SKIPPED_LENGTH)}"`)
      .join(', ')}${lines.length > SKIPPED_NAMED ? ', …' : ''}`,
  more: (n: number) => `Show ${countText(n)} more`,
} as const;

/** An item in the preview: the highlighted search result, or one of the selected items. */
export interface ShownItem {
  readonly itemId: string;
  readonly name: string;
}

interface ItemFinderProps {
  readonly workspaceId: string;
  /** Selected items, one per line, each followed by its own bid, if it has one. */
  readonly value: string;
  readonly onChange: (value: string) => void;
  /** The bid of items without their own. */
  readonly bid: string;
  readonly error: string | undefined;
  /** Called with the highlighted search result. */
  readonly onPeek: (item: ShownItem | null) => void;
}

/** Skipped lines of a pasted list that are named, and their greatest length in characters. */
const SKIPPED_NAMED = 5;
const SKIPPED_LENGTH = 40;
/** Selected items rendered at first: a pasted list may contain thousands. */
const DRAWN = 20;
/** Most search results rendered. */
const FOUND_MAX = 50;
/** Pause after typing before a search starts, in milliseconds. */
const PAUSE_MS = 250;
const PICTURE = { width: 36, height: 36 } as const;

/**
 * Searches the catalog by name or ID, and lists the selected items with their bids. Pasted lists of IDs are added
 * unchecked.
 */
export function ItemFinder({ workspaceId, value, onChange, bid, error, onPeek }: ItemFinderProps) {
  const [drawn, setDrawn] = useState(DRAWN);
  const lines = itemLines(value);
  const set = (next: readonly ItemLine[]): void => onChange(itemText(next));
  return (
    <>
      {lines.length > 0 && (
        <ul className={styles['chosen']} aria-label={texts.chosen}>
          {lines.slice(0, drawn).map((line) => (
            <ChosenItem
              key={line.itemId}
              workspaceId={workspaceId}
              line={line}
              bid={bid}
              onBid={(own) => set(lines.map((each) => (each.itemId === line.itemId ? { ...each, bid: own } : each)))}
              onRemove={() => set(lines.filter(({ itemId }) => itemId !== line.itemId))}
            />
          ))}
          {lines.length > drawn && (
            <li className={styles['chosen-more']}>
              <Chip onClick={() => setDrawn(drawn * 10)}>{texts.more(lines.length - drawn)}</Chip>
            </li>
          )}
        </ul>
      )}
      {error !== undefined && <p className={ui['note-error']}>{error}</p>}
      <ItemSearch
        workspaceId={workspaceId}
        taken={new Set(lines.map(({ itemId }) => itemId))}
        onPeek={onPeek}
        onPick={(text) => set([...lines, ...itemLines(text)])}
      />
    </>
  );
}

interface ChosenItemProps {
  readonly workspaceId: string;
  readonly line: ItemLine;
  readonly bid: string;
  readonly onBid: (bid: string) => void;
  readonly onRemove: () => void;
}

function ChosenItem({ workspaceId, line: { itemId, bid: own }, bid, onBid, onRemove }: ChosenItemProps) {
  const known = useQuery(useApi().items.get.queryOptions({ input: { workspaceId, itemId } })).data;
  const name = known?.name || itemId;
  return (
    <li className={styles['chosen-item']}>
      <Picture workspaceId={workspaceId} itemId={known === undefined ? null : itemId} />
      <span className={styles['item-text']}>
        <span className={styles['item-name']}>{known?.name || texts.unknown}</span>
        <span className={ui['quiet']}>
          <span className={ui['numeric']}>{itemId}</span> <ItemPage url={known?.pageUrl ?? null} name={name} />
        </span>
      </span>
      <span className={ui['quiet']} aria-hidden="true">
        {texts.bidShort}
      </span>
      <input
        className={`${ui['input']} ${styles['item-bid']}`}
        aria-label={texts.bid(name)}
        inputMode="decimal"
        placeholder={bid}
        value={own}
        onChange={(event) => onBid(event.target.value)}
      />
      <button
        type="button"
        className={styles['item-remove']}
        aria-label={texts.remove(name)}
        title={texts.remove(name)}
        onClick={onRemove}
      >
        <IconX size={16} stroke={1.5} aria-hidden="true" />
      </button>
    </li>
  );
}

/** The picture of an item; empty until the item's data has loaded. */
function Picture({ workspaceId, itemId }: { readonly workspaceId: string; readonly itemId: string | null }) {
  if (itemId === null) return <span style={PICTURE} />;
  return <ServicePicture workspaceId={workspaceId} of={{ is: 'item', itemId }} alt="" size={PICTURE} />;
}

/** A search result: an item, or one of its variants below it. */
interface Option extends ShownItem {
  /** The suggested bid as typed; empty without one. */
  readonly bid: string;
  readonly suggestedBidCents: number | null;
  readonly pageUrl: string | null;
  /** Number of variants; once the item is expanded, each variant is an option too. */
  readonly variants: number;
  readonly isVariant: boolean;
}

function optionsOf(items: readonly FoundItem[], opened: ReadonlySet<string>): readonly Option[] {
  return items.flatMap(({ itemId, name, suggestedBidCents, pageUrl, variants }) => {
    const bid = suggestedBidCents === null ? '' : editText('adItem', 'bid', suggestedBidCents);
    const own = { itemId, name, bid, suggestedBidCents, pageUrl, variants: variants.length, isVariant: false };
    if (!opened.has(itemId)) return [own];
    return [
      own,
      ...variants.map((each) => ({ ...own, itemId: each.itemId, name: each.name, variants: 0, isVariant: true })),
    ];
  });
}

interface ItemSearchProps {
  readonly workspaceId: string;
  readonly taken: ReadonlySet<string>;
  readonly onPick: (lines: string) => void;
  readonly onPeek: (item: ShownItem | null) => void;
}

/**
 * A search field with the results below it. Arrow keys highlight a result, Enter adds it, the right arrow at the end of
 * the text expands its variants, Escape clears the field.
 */
function ItemSearch({ workspaceId, taken, onPick, onPeek }: ItemSearchProps) {
  const id = useId();
  const [text, setText] = useState('');
  const [asked] = useDebouncedValue(text.trim(), PAUSE_MS);
  const [at, setAt] = useState(0);
  const [skipped, setSkipped] = useState<readonly string[]>([]);
  const [opened, setOpened] = useState<ReadonlySet<string>>(new Set());
  /** Without the focus, the results would cover the fields below. */
  const [isHere, setHere] = useState(true);
  const wanted = asked.length < 2 ? skipToken : { workspaceId, text: asked };
  const answer = useQuery({
    ...useApi().items.find.queryOptions({ input: wanted }),
    placeholderData: keepPreviousData,
    // Results found offline are not reused: typing the same text searches again.
    gcTime: 0,
  });
  const isOpen = isHere && text.trim() !== '' && asked.length > 1 && answer.data !== undefined;
  const options = isOpen ? optionsOf(answer.data.items.slice(0, FOUND_MAX), opened) : [];
  const active = options[Math.min(at, options.length - 1)];
  /** Until the results of a changed text are there, those of the text before are shown. */
  const isCurrent = asked === text.trim() && !answer.isPlaceholderData;
  const activeId = active?.itemId;
  const activeName = active?.name;
  useEffect(() => {
    onPeek(activeId === undefined ? null : { itemId: activeId, name: activeName ?? '' });
  }, [activeId, activeName, onPeek]);

  const pick = ({ itemId, bid }: Option): void => {
    if (!taken.has(itemId)) onPick(`${itemId}\t${bid}`);
  };
  const takeList = (list: string): void => {
    onPick(list);
    setText('');
    setSkipped([]);
  };
  const toggle = (itemId: string): void => setOpened((before) => toggled(before, itemId));
  const onPaste = (event: ClipboardEvent<HTMLInputElement>): void => {
    const pasted = event.clipboardData.getData('text');
    const { items, others } = splitItemLines(pasted);
    const { length } = itemLines(items);
    // Most lines are IDs: the others are headings or mistyped, and not words to search for.
    if (length <= others.length || length + others.length < 2) return;
    event.preventDefault();
    takeList(items);
    setSkipped(others);
  };
  const onKeyDown = (event: KeyboardEvent<HTMLInputElement>): void => {
    const isAtEnd = event.currentTarget.selectionStart === text.length;
    if (event.key === 'Enter') {
      // Enter must not submit the surrounding form.
      event.preventDefault();
      // An ID with a bid, or one without a search result, is added as typed.
      if (isItemList(text) && text.trim() !== active?.itemId) takeList(text);
      else if (active !== undefined && isCurrent) pick(active);
    } else if (event.key === 'Escape' && text !== '') {
      event.preventDefault();
      event.stopPropagation();
      setText('');
    } else if (event.key === 'ArrowDown' || event.key === 'ArrowUp') {
      event.preventDefault();
      const by = event.key === 'ArrowDown' ? 1 : -1;
      setAt(Math.max(0, Math.min(options.length - 1, at + by)));
    } else if (event.key === 'ArrowRight' && isAtEnd && active !== undefined && active.variants > 0) {
      toggle(active.itemId);
    }
  };
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: only hears where the focus goes
    <div
      className={styles['finder']}
      onFocus={() => setHere(true)}
      onBlur={({ currentTarget, relatedTarget }) => setHere(currentTarget.contains(relatedTarget))}
    >
      <span className={styles['finder-field']}>
        <IconSearch size={15} stroke={1.5} aria-hidden="true" />
        <input
          role="combobox"
          aria-label={texts.search}
          aria-expanded={isOpen}
          aria-controls={isOpen ? `${id}-list` : undefined}
          aria-activedescendant={active === undefined ? undefined : `${id}-${active.itemId}`}
          aria-autocomplete="list"
          autoComplete="off"
          placeholder={texts.hint}
          value={text}
          onPaste={onPaste}
          onKeyDown={onKeyDown}
          onChange={(event) => {
            setText(event.target.value);
            setSkipped([]);
            setAt(0);
          }}
        />
      </span>
      {skipped.length > 0 && (
        <p className={ui['note-warning']} role="alert">
          {texts.notItems(skipped)}
        </p>
      )}
      {isOpen && (
        // Keeps the focus in the search field, also for its scroll bar.
        // biome-ignore lint/a11y/noStaticElementInteractions: nothing happens here but to the focus
        <div className={styles['finder-results']} onMouseDown={(event) => event.preventDefault()}>
          <div role="listbox" id={`${id}-list`} aria-label={texts.results} className={styles['finder-list']}>
            {options.map((option, index) => (
              <ResultOption
                key={option.itemId}
                id={`${id}-${option.itemId}`}
                workspaceId={workspaceId}
                option={option}
                isActive={option === active}
                isTaken={taken.has(option.itemId)}
                onHover={() => setAt(index)}
                onPick={() => pick(option)}
                onOpen={() => toggle(option.itemId)}
              />
            ))}
          </div>
          <p className={styles['finder-foot']} role="status">
            {answer.data.isOffline
              ? texts.seenOnly
              : options.length === 0
                ? answer.isFetching
                  ? texts.searching
                  : texts.none
                : texts.found(answer.data.items.length)}
          </p>
        </div>
      )}
    </div>
  );
}

interface ResultOptionProps {
  readonly id: string;
  readonly workspaceId: string;
  readonly option: Option;
  readonly isActive: boolean;
  readonly isTaken: boolean;
  readonly onHover: () => void;
  readonly onPick: () => void;
  readonly onOpen: () => void;
}

function ResultOption({ id, workspaceId, option, isActive, isTaken, onHover, onPick, onOpen }: ResultOptionProps) {
  const { itemId, name, suggestedBidCents, variants, isVariant } = option;
  const classes = [styles['result'], isActive && styles['result-active'], isVariant && styles['result-variant']];
  return (
    // Keys are handled by the search field.
    // biome-ignore lint/a11y/useKeyWithClickEvents: an option of a combobox has no focus of its own
    <div
      role="option"
      tabIndex={-1}
      id={id}
      aria-selected={isActive}
      className={classes.filter(Boolean).join(' ')}
      onPointerMove={isActive ? undefined : onHover}
      onClick={onPick}
    >
      <Picture workspaceId={workspaceId} itemId={itemId} />
      <span className={styles['item-text']}>
        <span className={styles['item-name']}>{name}</span>
        <span className={ui['quiet']}>
          <span className={ui['numeric']}>{itemId}</span>
          {variants > 0 && (
            // biome-ignore lint/a11y/noStaticElementInteractions: the right arrow does the same
            // biome-ignore lint/a11y/useKeyWithClickEvents: the right arrow does the same
            <span
              className={styles['result-more']}
              title={texts.showVariants(variants, name)}
              onClick={(event) => {
                event.stopPropagation();
                onOpen();
              }}
            >
              {'\u00a0·\u00a0'}
              <u>{texts.variants(variants)}</u>
            </span>
          )}
        </span>
      </span>
      {suggestedBidCents !== null && <span className={ui['quiet']}>{texts.suggested(suggestedBidCents)}</span>}
      {isTaken ? (
        <span className={styles['result-done']}>
          <IconCheck size={14} stroke={2} aria-hidden="true" /> {texts.added}
        </span>
      ) : (
        <span className={styles['result-add']}>{texts.add}</span>
      )}
    </div>
  );
}

/** Adds item names to rows, for items whose catalog data has loaded. */
export function useItemNames(workspaceId: string): (rows: readonly NewRow[]) => readonly NewRow[] {
  const { items } = useApi();
  const client = useQueryClient();
  return (rows) =>
    rows.map((row) => {
      const itemId = row.kind === 'adItem' ? row.values['itemId'] : null;
      if (typeof itemId !== 'string') return row;
      const known = client.getQueryData<ShownItem | null>(items.get.queryKey({ input: { workspaceId, itemId } }));
      const itemName = known?.name ?? '';
      return itemName === '' ? row : { ...row, values: { ...row.values, itemName, itemIdSource: 'search' } };
    });
}
