import { useState } from 'react';
import type { RestorePreview } from '../../../shared/contract/backups.ts';
import { useAppContext } from '../../app/desk.ts';
import { enBackups as texts } from '../../messages/en-backups.ts';
import { ScrollBox } from '../../ui/ScrollBox.tsx';

/** Campaigns that differ from a backup, each of which can go back alone, as an edit that Ctrl+Z takes back. */
export function RestoreParts({ preview }: { readonly preview: RestorePreview }) {
  const { actions } = useAppContext();
  const [busy, setBusy] = useState(false);
  const { campaigns, moreCampaigns, moment } = preview;
  if (campaigns.length === 0) return null;
  const bringBack = async (to: number, campaign: RestorePreview['campaigns'][number]): Promise<void> => {
    setBusy(true);
    await actions.bringBack(to, { campaignId: campaign.campaignId }, texts.oneLabel(campaign.name));
    setBusy(false);
  };
  return (
    <section aria-label={texts.parts}>
      <h3 className="plain-heading">{texts.parts}</h3>
      <p className="quiet">{moment === null ? texts.noParts : texts.partsText}</p>
      {moment !== null && (
        <ScrollBox className="preview-scroll short-scroll" label={texts.parts}>
          <ul className="lines">
            {campaigns.map((campaign) => (
              <li key={campaign.campaignId} className="line">
                <span className="line-text">{campaign.name}</span>
                <span className="quiet">{texts.differ(campaign.rows)}</span>
                <button
                  type="button"
                  className="chip"
                  disabled={busy}
                  aria-label={texts.asThenOf(campaign.name)}
                  onClick={() => void bringBack(moment, campaign)}
                >
                  {texts.asThen}
                </button>
              </li>
            ))}
          </ul>
        </ScrollBox>
      )}
      {moment !== null && moreCampaigns > 0 && <p className="quiet">{texts.moreCampaigns(moreCampaigns)}</p>}
    </section>
  );
}
