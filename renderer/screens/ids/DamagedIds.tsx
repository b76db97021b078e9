import { Select } from '@mantine/core';
import type { DamagedItemId } from '../../../shared/contract/ids.ts';
import { enAfterSync } from '../../messages/en-after-sync.ts';

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
            <Select
              size="xs"
              className="damaged-choice"
              aria-label={text.instead(itemId)}
              allowDeselect={false}
              value={chosen.get(itemId) ?? LEAVE}
              data={[
                ...candidates.map((one) => ({
                  value: one.itemId,
                  label: [one.itemId, one.name ?? '', text.source[one.source]]
                    .filter((part) => part !== '')
                    .join(' · '),
                })),
                { value: LEAVE, label: text.leave },
              ]}
              onChange={(to) => choose(itemId, to)}
            />
          )}
        </li>
      ))}
    </ul>
  );
}
