import { Select } from '@mantine/core';
import type { DamagedItemId } from '../../../shared/contract/ids.ts';
import { locale } from '../../locale/current.ts';
import { enAfterSync } from '../../messages/en-after-sync.ts';
import { enItems } from '../../messages/en-items.ts';
import { ItemFacts } from './ItemFacts.tsx';

const text = enAfterSync.ids;
/** No id is this long, so it stands for leaving one. */
const LEAVE = '-';

interface DamagedIdsProps {
  readonly damaged: readonly DamagedItemId[];
  readonly chosen: ReadonlyMap<string, string>;
  readonly onChoose: (chosen: ReadonlyMap<string, string>) => void;
}

/** Every damaged id with where it stands, and what takes its place. */
export function DamagedIds({ damaged, chosen, onChoose }: DamagedIdsProps) {
  const choose = (itemId: string, to: string | null): void => {
    const next = new Map(chosen);
    if (to === null || to === LEAVE) next.delete(itemId);
    else next.set(itemId, to);
    onChoose(next);
  };
  return (
    <ul className="lines damaged-ids">
      {damaged.map(({ itemId, damage, rows, first, candidates }) => (
        <li key={itemId} className="line">
          <span className="line-text">
            <code>{itemId}</code> <span className="quiet">{text.damage[damage]}</span>
          </span>
          <span className="line-where quiet">
            {text.rows(rows)} · {first[0]?.campaign}
          </span>
          {candidates.length === 0 ? (
            <span className="quiet">{text.nothing}</span>
          ) : (
            <div>
              <Select
                size="xs"
                className="damaged-choice"
                aria-label={text.instead(itemId)}
                allowDeselect={false}
                value={chosen.get(itemId) ?? LEAVE}
                data={[
                  ...candidates.map((one) => ({ value: one.itemId, label: labelOf(one) })),
                  { value: LEAVE, label: text.leave },
                ]}
                onChange={(to) => choose(itemId, to)}
              />
              {candidates
                .filter((one) => one.itemId === chosen.get(itemId))
                .map((one) => (
                  <ItemFacts key={one.itemId} facts={one.facts} />
                ))}
            </div>
          )}
        </li>
      ))}
    </ul>
  );
}

/** A candidate in a line: its id, its name, what it would cost where names are the same, and why it is one. */
function labelOf({ itemId, name, source, facts }: DamagedItemId['candidates'][number]): string {
  const bid = facts?.suggestedBidCents ?? null;
  const parts = [itemId, name ?? '', bid === null ? '' : enItems.suggested(locale().amount(bid)), text.source[source]];
  return parts.filter((part) => part !== '').join(' · ');
}
