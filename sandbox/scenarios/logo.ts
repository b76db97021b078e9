import { type Colour, drawPng } from '../resources/png.ts';
import { hash } from '../seed.ts';

/** A logo by the content rules: a PNG of 100 x 100 px, a disc on a ground in colours that follow from the brand. */
const SIZE = 100;

export function drawLogo(brand: string): Buffer {
  const ground = colourOf(brand, 'ground', 150);
  const disc = colourOf(brand, 'disc', 30);
  return drawPng(SIZE, SIZE, (x, y) => ((x - 49.5) ** 2 + (y - 49.5) ** 2 < 34 ** 2 ? disc : ground));
}

function colourOf(brand: string, part: string, darkest: number): Colour {
  const channel = (name: string): number => darkest + (hash(0, brand, part, name) % 100);
  return [channel('red'), channel('green'), channel('blue')];
}
