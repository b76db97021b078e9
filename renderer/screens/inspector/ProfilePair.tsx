import type { WindowRow } from '../../../shared/contract/workspace.ts';
import { fieldNames } from '../../../shared/model/fields.ts';
import { isNew } from '../../../shared/model/row.ts';
import { firstRows } from '../../data/row-questions.ts';
import { useQuery } from '../../data/use-query.ts';
import { en } from '../../messages/en.ts';
import { choiceName } from '../../messages/fields.ts';
import { StatusDot, toneOf } from '../../ui/StateDot.tsx';
import { BannerPreview } from './BannerPreview.tsx';
import { SwapButton } from './SwapButton.tsx';

const FIELDS = fieldNames('sbaProfile');
const text = (row: WindowRow, field: string): string => String(row.cells[FIELDS.indexOf(field)] ?? '');

interface ProfilePairProps {
  readonly workspaceId: string;
  readonly row: WindowRow;
  /** Texts of this row as they are being typed. */
  readonly typed: Readonly<Record<string, string>>;
}

/**
 * The banner of this profile as it is typed, and beside it the other one of the ad group. Of profiles that are
 * created together the service enables the first (document, "SBA profile create"), so that one is marked.
 */
export function ProfilePair({ workspaceId, row, typed }: ProfilePairProps) {
  const found = useQuery(row.campaignId === null ? null : firstRows(workspaceId, 'sbaProfile', row.campaignId)).data;
  const profiles = (found ?? [row]).filter((each) => each.adGroupId === row.adGroupId);
  const allNew = profiles.length > 1 && profiles.every(isNew);
  return (
    <section className="profiles" aria-label={profiles.length > 1 ? en.inspector.profiles : en.inspector.banner}>
      {profiles.map((profile, i) => {
        const mine = profile.id === row.id;
        const shown = (field: string): string => (mine ? (typed[field] ?? text(row, field)) : text(profile, field));
        const status = text(profile, 'status');
        return (
          <div key={profile.id} className={mine ? 'profile' : 'profile profile-other'}>
            <BannerPreview
              workspaceId={workspaceId}
              brand={shown('brand')}
              headline={shown('headline')}
              logo={Number(text(profile, 'logo')) || null}
              onService={text(profile, 'logoUrl') === '' ? null : profile.id}
            />
            {profiles.length > 1 && (
              <p className="profile-state">
                <StatusDot tone={toneOf(status)} text={choiceName(status)} />
                {allNew && i === 0 && <span className="badge">{en.inspector.willBeEnabled}</span>}
              </p>
            )}
          </div>
        );
      })}
      {profiles.length > 1 && !allNew && row.campaignId !== null && (
        <SwapButton workspaceId={workspaceId} campaignId={row.campaignId} />
      )}
    </section>
  );
}
