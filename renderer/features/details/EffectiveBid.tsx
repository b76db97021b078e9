import { Button, Slider } from '@mantine/core';
import { useState } from 'react';
import { useAppContext } from '../../app/app-context.ts';
import { locale } from '../../app/locale/current.ts';
import { useLimits } from '../../app/locale/limits.ts';
import { countText, moneyText, plural } from '../../app/locale/numbers.ts';
import { bidAt, type MultiplierKind, useMultipliers } from '../../app/multipliers.ts';
import { TableHead } from '../../components/TableHead.tsx';
import ui from '../../components/ui.module.css';
import { useBusy } from '../../components/use-busy.ts';
import styles from './details.module.css';

const texts = {
  title: 'Effective bid',
  other: 'Other placements',
  placement: 'Placement',
  percent: (hundredths: number) => `${countText(hundredths / 100)}%`,
  none: 'none',
  what: (name: string) => `Multiplier for ${name}`,
  cut: (exact: string, stored: string) => `The service cuts to whole cents: ${exact} is stored as ${stored}.`,
  zero: (bid: string, none: string) =>
    `The effect of 0% is not documented. The bid stays ${bid} if 0% means no change, and becomes ${none} if it means nothing.`,
  save: (n: number) => `Save ${plural(n, 'multiplier')} as draft`,
  reset: 'Reset',
  label: 'Try multipliers',
} as const;

/** Upper end of the sliders, in hundredths of a percent; higher values can be typed in the list of multipliers. */
const SLIDER_MAX = 30_000;

interface EffectiveBidProps {
  readonly workspaceId: string;
  readonly campaignId: number;
  readonly cents: number;
}

/** The effective bid at each placement and platform, now and with other multipliers of the campaign. */
export function EffectiveBid({ workspaceId, campaignId, cents }: EffectiveBidProps) {
  const { actions } = useAppContext();
  const { max } = useLimits().multiplier;
  const { multipliers } = useMultipliers(workspaceId, campaignId);
  const [tried, setTried] = useState<Readonly<Record<string, number>>>({});
  const [busy, during] = useBusy();
  if (multipliers == null) return null;
  const { placements, platforms, percentOf, change } = multipliers;
  const named = [
    ...placements.map((name) => ({ kind: 'placementMultiplier' as const, name })),
    ...platforms.map((name) => ({ kind: 'platformMultiplier' as const, name })),
  ];
  const keyOf = (kind: MultiplierKind, name: string): string => `${kind} ${name}`;
  const triedOf = (kind: MultiplierKind, name: string): number | null =>
    tried[keyOf(kind, name)] ?? percentOf(kind, name);
  const differing = named.filter(({ kind, name }) => triedOf(kind, name) !== percentOf(kind, name));
  /** Without a placement, only the multiplier of the platform applies. */
  const bidOf = (of: typeof triedOf, placement: string, platform: string): number =>
    bidAt(cents, placement === '' ? null : of('placementMultiplier', placement), of('platformMultiplier', platform));
  const cut = cutIn(
    cents,
    named.flatMap(({ kind, name }) => triedOf(kind, name) ?? []),
  );
  const hasZero = named.some(({ kind, name }) => triedOf(kind, name) === 0);
  const save = async (): Promise<void> => {
    const changes = differing.map(({ kind, name }) => change(kind, name, triedOf(kind, name)));
    const creates = changes.flatMap((one) => one.creates);
    const edits = changes.flatMap((one) => one.edits);
    const { create, edit } = actions;
    const saved = await (creates.length > 0 ? create(texts.label, creates, edits) : edit(texts.label, edits));
    if (saved !== null) setTried({});
  };
  return (
    <section className={styles['section']} aria-label={texts.title}>
      <h3 className={ui['section-title']}>{texts.title}</h3>
      <table className={styles['bids']}>
        <TableHead titles={[texts.placement, ...platforms]} />
        <tbody>
          {[...placements, ''].map((placement) => (
            <tr key={placement}>
              <th scope="row">{placement === '' ? texts.other : placement}</th>
              {platforms.map((platform) => {
                const before = bidOf(percentOf, placement, platform);
                const after = bidOf(triedOf, placement, platform);
                return (
                  <td key={platform} className={ui['numeric']}>
                    {before !== after && <del>{moneyText(before)}</del>}{' '}
                    {before === after ? moneyText(after) : <ins>{moneyText(after)}</ins>}
                  </td>
                );
              })}
            </tr>
          ))}
        </tbody>
      </table>
      {named.map(({ kind, name }) => {
        const value = triedOf(kind, name);
        return (
          <div key={keyOf(kind, name)} className={styles['try']}>
            <span>{name}</span>
            <Slider
              size="sm"
              label={null}
              thumbLabel={texts.what(name)}
              min={0}
              max={Math.min(max * 100, Math.max(SLIDER_MAX, 2 * (percentOf(kind, name) ?? 0)))}
              step={100}
              value={value ?? 0}
              onChange={(next) => setTried((before) => ({ ...before, [keyOf(kind, name)]: next }))}
            />
            <span className={ui['numeric']}>{value === null ? texts.none : texts.percent(value)}</span>
          </div>
        );
      })}
      {cut !== null && (
        <p className={ui['quiet']}>{texts.cut(locale().exactMoney(cut.exact), moneyText(cut.stored))}</p>
      )}
      {hasZero && <p className={ui['note-warning']}>{texts.zero(moneyText(cents), moneyText(0))}</p>}
      {differing.length > 0 && (
        <div className={ui['chips']}>
          <Button loading={busy} onClick={() => void during(save())}>
            {texts.save(differing.length)}
          </Button>
          <Button variant="subtle" color="gray" onClick={() => setTried({})}>
            {texts.reset}
          </Button>
        </div>
      )}
    </section>
  );
}

/**
 * The first bid with a fraction of a cent: exact in millionths of a dollar, and as stored in cents; null if no
 * multiplier causes one.
 */
function cutIn(cents: number, percents: readonly number[]): { readonly exact: number; readonly stored: number } | null {
  const found = percents.find((percent) => (cents * (10_000 + percent)) % 10_000 !== 0);
  if (found === undefined) return null;
  return { exact: cents * (10_000 + found), stored: bidAt(cents, found, null) };
}
