import { type Colour, drawPng } from '../resources/png.ts';
import { hash } from '../seed.ts';

/** Pictures that the sandbox draws instead of keeping, as PNG: the same picture for the same thing. */
const WHITE: Colour = [255, 255, 255];
const THUMBNAIL = { width: 320, height: 180 } as const;
const ITEM = 200;

/**
 * No frame is decoded: the color tells one video from another, and the bar below shows how much of 45 seconds it lasts.
 */
export function drawThumbnail(mediaId: number, lengthMs: number): Buffer {
  const { width, height } = THUMBNAIL;
  const ground = colourOf((mediaId * 47) % 360, 0.4, 0.35);
  const edge = Math.min(1, lengthMs / 45_000) * width;
  return drawPng(width, height, (x, y) => {
    // The sign for playing: a triangle that points to the right.
    if (x >= 135 && x <= 195 && Math.abs(y - 90) <= (195 - x) / 2) return WHITE;
    return y >= height - 6 && x < edge ? WHITE : ground;
  });
}

/** An item of the catalogue: a parcel in a color of its own, with a label whose bars follow from its name. */
export function drawItem(name: string): Buffer {
  const number = hash(0, 'item', name);
  const hue = number % 360;
  const ground = colourOf(hue, 0.3, 0.92);
  const parcel = colourOf(hue, 0.45, 0.45);
  const tape = colourOf(hue, 0.45, 0.3);
  const isBar = (x: number): boolean => ((number >>> (Math.floor((x - 68) / 4) % 16)) & 1) === 1;
  return drawPng(ITEM, ITEM, (x, y) => {
    if (x < 40 || x >= 160 || y < 50 || y >= 160) return ground;
    if (y >= 78 && y < 82) return tape;
    const isLabel = x >= 64 && x < 136 && y >= 96 && y < 140;
    if (!isLabel) return parcel;
    return x >= 68 && x < 132 && y >= 102 && y < 134 && isBar(x) ? tape : WHITE;
  });
}

/** A color by hue in degrees, saturation and lightness from 0 to 1. */
function colourOf(hue: number, saturation: number, lightness: number): Colour {
  const reach = saturation * Math.min(lightness, 1 - lightness);
  const channel = (n: number): number => {
    const k = (n + hue / 30) % 12;
    return Math.round(255 * (lightness - reach * Math.max(-1, Math.min(k - 3, 9 - k, 1))));
  };
  return [channel(0), channel(8), channel(4)];
}
