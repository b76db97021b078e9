import { AddRowsDialog } from '../../../renderer/screens/campaigns/AddRowsDialog.tsx';
import { CampaignForm } from '../../../renderer/screens/campaigns/CampaignForm.tsx';
import { EMPTY_DRAFT } from '../../../renderer/screens/campaigns/draft.ts';
import { ItemSearch } from '../../../renderer/screens/campaigns/ItemSearch.tsx';
import { NewCampaignDialog } from '../../../renderer/screens/campaigns/NewCampaignDialog.tsx';
import { SaveTemplate } from '../../../renderer/screens/campaigns/SaveTemplate.tsx';
import { TemplateBar } from '../../../renderer/screens/campaigns/TemplateBar.tsx';
import { ItemFacts } from '../../../renderer/screens/ids/ItemFacts.tsx';
import { KeywordMatrix } from '../../../renderer/screens/matrix/KeywordMatrix.tsx';
import { MatrixScreen } from '../../../renderer/screens/matrix/MatrixScreen.tsx';
import { MultiplierMatrix } from '../../../renderer/screens/matrix/MultiplierMatrix.tsx';
import { LogoFit } from '../../../renderer/screens/media/LogoFit.tsx';
import { MediaDialog } from '../../../renderer/screens/media/MediaDialog.tsx';
import { Palette } from '../../../renderer/screens/palette/Palette.tsx';
import { PaletteInput } from '../../../renderer/screens/palette/PaletteInput.tsx';
import { PaletteShell } from '../../../renderer/screens/palette/PaletteShell.tsx';
import { ShortcutsDialog } from '../../../renderer/screens/palette/ShortcutsDialog.tsx';
import { PracticeDialog } from '../../../renderer/screens/practice/PracticeDialog.tsx';
import type { CampaignShape } from '../../../renderer/store/dialog.ts';
import type { Kind } from '../../../shared/model/kinds.ts';
import { never, os } from './answers.ts';
import { firstOf, rowsOf, WORKSPACE } from './examples.ts';
import { each, type Part } from './part.ts';
import { staged } from './Stage.tsx';

const nothing = () => {};
const SHAPES: Readonly<Record<CampaignShape, true>> = { video: true, sba: true, auto: true, manual: true };
const TYPED: Parameters<typeof staged>[0]['arrange'] = (s) => s.typeInPalette('new sb');
const here = { workspaceId: WORKSPACE };

const templates = {
  templates: { list: os.templates.list.handler(() => [{ name: 'Summer', shape: 'sba', form: {} }]) },
};
const add = (kind: Kind, campaignId: number | null) =>
  staged({ arrange: (s) => s.goTo({ kind, campaignId }) }, <AddRowsDialog {...here} />);

const byName = (index: number): number => rowsOf('campaign')[index]?.id ?? 0;
const matrix = (kind: 'keyword' | 'placementMultiplier', campaignId: number) =>
  staged({}, <MatrixScreen {...here} kind={kind} campaignId={campaignId} />);

/** A picture that is no logo yet: 300 by 200 pixels of one colour. */
const PICTURE = new File(
  [
    '<svg xmlns="http://www.w3.org/2000/svg" width="300" height="200"><rect width="300" height="200" fill="#1864ab"/></svg>',
  ],
  'logo.svg',
  { type: 'image/svg+xml' },
);
const TEXT = new File(['not a picture'], 'notes.txt');

const practice = (part: object) => ({
  practice: {
    state: os.practice.state.handler(() => ({ now: '2030-06-01T12:00:00.000Z', openReviews: [], ...part })),
  },
});
const FACTS = { suggestedBidCents: 165, pageUrl: 'https://shop.example/ip/5012345001', imageUrl: null };
const item = {
  itemId: '5012345001',
  name: 'Steel kettle, 1.7 l',
  suggestedBidCents: 165,
  imageUrl: null,
  pageUrl: null,
  variants: [],
};

/** Where rows are made, looked at side by side, and brought in. */
export const MAKING_PARTS: readonly Part[] = [
  {
    name: 'NewCampaignDialog',
    isWide: true,
    states: {
      ...each(SHAPES, (shape) => staged({}, <NewCampaignDialog {...here} shape={shape} like={null} />)),
      'like another': staged({}, <NewCampaignDialog {...here} shape="manual" like={firstOf('campaign').id} />),
    },
  },
  {
    name: 'CampaignForm',
    isWide: true,
    states: {
      empty: staged({}, <CampaignForm {...here} first={{ shape: 'sba', draft: EMPTY_DRAFT, like: null }} />),
      'asked too early': staged(
        { press: ['Create campaign'] },
        <CampaignForm {...here} first={{ shape: 'sba', draft: EMPTY_DRAFT, like: null }} />,
      ),
    },
  },
  {
    name: 'TemplateBar',
    states: {
      kept: staged({ answers: templates }, <TemplateBar {...here} chosen="" like={null} onChoose={nothing} />),
      chosen: staged({ answers: templates }, <TemplateBar {...here} chosen="Summer" like={null} onChoose={nothing} />),
      'like a campaign': staged({}, <TemplateBar {...here} chosen="" like="Kettles" onChoose={nothing} />),
    },
  },
  {
    name: 'SaveTemplate',
    states: {
      closed: staged({}, <SaveTemplate shape="sba" draft={EMPTY_DRAFT} name="" />),
      naming: staged({ press: ['Save as'] }, <SaveTemplate shape="sba" draft={EMPTY_DRAFT} name="Summer" />),
    },
  },
  {
    name: 'ItemSearch',
    states: {
      empty: staged(
        { answers: { items: { search: os.items.search.handler(() => [item]) } } },
        <ItemSearch lines="" onPick={nothing} />,
      ),
    },
  },
  {
    name: 'AddRowsDialog',
    isWide: true,
    states: {
      'no campaign': add('keyword', null),
      keywords: add('keyword', byName(3)),
      items: add('adItem', byName(1)),
    },
  },
  {
    name: 'KeywordMatrix',
    isWide: true,
    states: {
      some: staged({}, <KeywordMatrix {...here} campaignId={byName(3)} />),
      none: staged({}, <KeywordMatrix {...here} campaignId={byName(0)} />),
    },
  },
  {
    name: 'MultiplierMatrix',
    isWide: true,
    states: {
      manual: staged({}, <MultiplierMatrix {...here} campaignId={byName(3)} />),
      automatic: staged({}, <MultiplierMatrix {...here} campaignId={byName(2)} />),
      'none offered': staged({}, <MultiplierMatrix {...here} campaignId={byName(0)} />),
    },
  },
  {
    name: 'MatrixScreen',
    isWide: true,
    states: { keywords: matrix('keyword', byName(3)), multipliers: matrix('placementMultiplier', byName(2)) },
  },
  {
    name: 'ItemFacts',
    states: {
      links: <ItemFacts facts={{ ...FACTS, imageUrl: 'https://pictures.shop.example/kettle.png' }} />,
      'an address that is no link': <ItemFacts facts={{ ...FACTS, imageUrl: 'http://127.0.0.1/kettle.svg' }} />,
      'nothing told': <ItemFacts facts={undefined} />,
    },
  },
  {
    name: 'MediaDialog',
    isWide: true,
    states: { empty: staged({}, <MediaDialog files={[]} />), refused: staged({}, <MediaDialog files={[TEXT]} />) },
  },
  {
    name: 'LogoFit',
    states: {
      picture: <LogoFit file={PICTURE} onFit={nothing} />,
      'no picture': <LogoFit file={TEXT} onFit={nothing} />,
    },
  },
  {
    name: 'Palette',
    isWide: true,
    states: { everything: staged({}, <Palette {...here} />), 'no account': staged({}, <Palette workspaceId={null} />) },
  },
  {
    name: 'PaletteInput',
    isWide: true,
    states: {
      'before its list': staged({ arrange: TYPED }, <PaletteInput list={null} onEnter={nothing} />),
    },
  },
  {
    name: 'PaletteShell',
    isWide: true,
    states: { empty: staged({}, <PaletteShell />), typed: staged({ arrange: TYPED }, <PaletteShell />) },
  },
  { name: 'ShortcutsDialog', isWide: true, states: { sheet: staged({}, <ShortcutsDialog />) } },
  {
    name: 'PracticeDialog',
    isWide: true,
    states: {
      reading: staged(
        { answers: { practice: { state: os.practice.state.handler(never) } } },
        <PracticeDialog {...here} />,
      ),
      'no review': staged({ answers: practice({}) }, <PracticeDialog {...here} />),
      'open reviews': staged({}, <PracticeDialog {...here} />),
    },
  },
];
