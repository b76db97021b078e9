import {
  Button,
  type CSSVariablesResolver,
  createTheme,
  type MantineColorsTuple,
  Menu,
  type ModalProps,
  type NotificationProps,
} from '@mantine/core';
import { appTexts } from '../app/texts.ts';

/** The neutral shades of the dark scheme, from text to frame, shared by Mantine's components and the grid. */
const ink: MantineColorsTuple = [
  '#e5e9ef',
  '#c6cdd7',
  '#aab3c0',
  '#667282',
  '#3a4350',
  '#2d343e',
  '#1f252d',
  '#161a20',
  '#12151a',
  '#0e1116',
];

/** The accent color of the tokens, lightest first; filled elements use shade 8 in light and 7 in dark. */
const accent: MantineColorsTuple = [
  '#e9efff',
  '#d5e0ff',
  '#b3c5fb',
  '#98b4ff',
  '#7a9cf7',
  '#5b82ee',
  '#4a72ea',
  '#3a63df',
  '#2a55d6',
  '#2148bd',
];

/** Only types are imported: the code of both components is loaded when the first of them is shown. */
const MODAL: Partial<ModalProps> = {
  closeButtonProps: { 'aria-label': appTexts.close },
  // The page itself never scrolls, and the scroll lock would insert a style element that the content policy forbids.
  lockScroll: false,
  transitionProps: { duration: 100 },
  centered: false,
  overlayProps: { backgroundOpacity: 0.35 },
};
const NOTIFICATION: Partial<NotificationProps> = { closeButtonProps: { 'aria-label': appTexts.close } };

/** The small size, for inputs. */
const SMALL = { defaultProps: { size: 'xs' } };

/**
 * The compact desktop theme. Its CSS variables are written out in `theme-variables.css`, because a strict content
 * policy forbids style elements created at run time; a test compares the two.
 */
export const theme = createTheme({
  primaryColor: 'blue',
  primaryShade: { light: 8, dark: 7 },
  autoContrast: true,
  defaultRadius: 6,
  respectReducedMotion: true,
  fontFamily: "'Inter Variable', system-ui, sans-serif",
  fontFamilyMonospace: 'ui-monospace, SFMono-Regular, Menlo, Consolas, monospace',
  fontSizes: { xs: '11px', sm: '12px', md: '12px', lg: '14px', xl: '18px' },
  colors: { dark: ink, blue: accent },
  headings: { fontFamily: "'Inter Variable', system-ui, sans-serif" },
  components: {
    Button: Button.extend({ defaultProps: { size: 'compact-sm', variant: 'default' } }),
    Modal: { defaultProps: MODAL },
    Menu: Menu.extend({
      defaultProps: {
        withInitialFocusPlaceholder: false,
        transitionProps: { duration: 80 },
        // In the main landmark, so that screen readers find it there; fixed, so that no overflow clips it.
        portalProps: { target: 'main' },
        floatingStrategy: 'fixed',
      },
    }),
    Notification: { defaultProps: NOTIFICATION },
    Checkbox: SMALL,
    NativeSelect: SMALL,
    PasswordInput: {
      defaultProps: {
        ...SMALL.defaultProps,
        visibilityToggleButtonProps: { 'aria-label': appTexts.showTyped, miw: 24, mih: 24 },
      },
    },
    Radio: SMALL,
    SegmentedControl: { defaultProps: { ...SMALL.defaultProps, withItemsBorders: false } },
    Switch: { defaultProps: { withThumbIndicator: false } },
  },
});

export const variables: CSSVariablesResolver = () => ({
  variables: {},
  light: {
    '--mantine-color-dimmed': '#4d5868',
    '--mantine-color-placeholder': '#566172',
    '--mantine-color-error': '#a31e28',
    '--mantine-color-text': '#141a24',
    '--mantine-color-body': '#ffffff',
    '--mantine-color-default-border': '#8490a1',
  },
  dark: {
    '--mantine-color-dimmed': '#aab3c0',
    '--mantine-color-placeholder': '#939dab',
    '--mantine-color-error': '#ff9ba1',
    '--mantine-color-text': '#e5e9ef',
    '--mantine-color-body': '#1f252d',
    '--mantine-color-default-border': '#667282',
  },
});
