// Principal component analysis in double precision, always with the same result: EISPACK's tred2 and tql2, as in JAMA
// (public domain).

/**
 * Projects centred rows on the directions in which they differ most.
 * @param {Float32Array} rows - `count` rows of `width` values; they are centred in place
 * @param {{ count: number, width: number, dimensions: number }} shape - shape of the rows and the result
 * @returns {Float32Array} `count` rows of `dimensions` values
 */
export function principalComponents(rows, { count, width, dimensions }) {
  const mean = new Float64Array(width);
  for (let row = 0; row < count; row += 1) {
    for (let at = 0; at < width; at += 1) mean[at] += rows[row * width + at] / count;
  }
  for (let row = 0; row < count; row += 1) {
    for (let at = 0; at < width; at += 1) rows[row * width + at] -= mean[at];
  }
  const { values, vectors } = eigenvectors(covariance(rows, count, width), width);
  const order = [...values.keys()].sort((left, right) => values[right] - values[left]);
  const kept = order.slice(0, dimensions);
  const axes = kept.map((column) => {
    const axis = Float64Array.from({ length: width }, (_, at) => vectors[at * width + column]);
    // An eigenvector has no sign: the largest component is made positive.
    const largest = axis.reduce(
      (best, value) => (Math.abs(value) > Math.abs(best) ? value : best),
      0,
    );
    return largest < 0 ? axis.map((value) => -value) : axis;
  });
  const projected = new Float32Array(count * dimensions);
  for (let row = 0; row < count; row += 1) {
    for (const [column, axis] of axes.entries()) {
      let sum = 0;
      for (let at = 0; at < width; at += 1) sum += rows[row * width + at] * axis[at];
      projected[row * dimensions + column] = sum;
    }
  }
  const total = values.reduce((sum, value) => sum + value, 0);
  return { projected, share: kept.reduce((sum, column) => sum + values[column], 0) / total };
}

function covariance(rows, count, width) {
  const matrix = new Float64Array(width * width);
  for (let row = 0; row < count; row += 1) {
    const start = row * width;
    for (let left = 0; left < width; left += 1) {
      const value = rows[start + left];
      for (let right = left; right < width; right += 1) {
        matrix[left * width + right] += value * rows[start + right];
      }
    }
  }
  for (let left = 0; left < width; left += 1) {
    for (let right = 0; right < left; right += 1) {
      matrix[left * width + right] = matrix[right * width + left];
    }
  }
  return matrix;
}

function eigenvectors(A, n) {
  const V = Float64Array.from(A);
  const d = new Float64Array(n),
    e = new Float64Array(n);
  for (let j = 0; j < n; j++) d[j] = V[(n - 1) * n + j];
  for (let i = n - 1; i > 0; i--) {
    let scale = 0,
      h = 0;
    for (let k = 0; k < i; k++) scale += Math.abs(d[k]);
    if (scale === 0) {
      e[i] = d[i - 1];
      for (let j = 0; j < i; j++) {
        d[j] = V[(i - 1) * n + j];
        V[i * n + j] = 0;
        V[j * n + i] = 0;
      }
    } else {
      for (let k = 0; k < i; k++) {
        d[k] /= scale;
        h += d[k] * d[k];
      }
      let f = d[i - 1];
      let g = Math.sqrt(h);
      if (f > 0) g = -g;
      e[i] = scale * g;
      h -= f * g;
      d[i - 1] = f - g;
      for (let j = 0; j < i; j++) e[j] = 0;
      for (let j = 0; j < i; j++) {
        f = d[j];
        V[j * n + i] = f;
        g = e[j] + V[j * n + j] * f;
        for (let k = j + 1; k <= i - 1; k++) {
          g += V[k * n + j] * d[k];
          e[k] += V[k * n + j] * f;
        }
        e[j] = g;
      }
      f = 0;
      for (let j = 0; j < i; j++) {
        e[j] /= h;
        f += e[j] * d[j];
      }
      const hh = f / (h + h);
      for (let j = 0; j < i; j++) e[j] -= hh * d[j];
      for (let j = 0; j < i; j++) {
        f = d[j];
        g = e[j];
        for (let k = j; k <= i - 1; k++) V[k * n + j] -= f * e[k] + g * d[k];
        d[j] = V[(i - 1) * n + j];
        V[i * n + j] = 0;
      }
    }
    d[i] = h;
  }
  for (let i = 0; i < n - 1; i++) {
    V[(n - 1) * n + i] = V[i * n + i];
    V[i * n + i] = 1;
    const h = d[i + 1];
    if (h !== 0) {
      for (let k = 0; k <= i; k++) d[k] = V[k * n + i + 1] / h;
      for (let j = 0; j <= i; j++) {
        let g = 0;
        for (let k = 0; k <= i; k++) g += V[k * n + i + 1] * V[k * n + j];
        for (let k = 0; k <= i; k++) V[k * n + j] -= g * d[k];
      }
    }
    for (let k = 0; k <= i; k++) V[k * n + i + 1] = 0;
  }
  for (let j = 0; j < n; j++) {
    d[j] = V[(n - 1) * n + j];
    V[(n - 1) * n + j] = 0;
  }
  V[(n - 1) * n + n - 1] = 1;
  e[0] = 0;
  for (let i = 1; i < n; i++) e[i - 1] = e[i];
  e[n - 1] = 0;
  let f = 0,
    tst1 = 0;
  const eps = 2 ** -52;
  for (let l = 0; l < n; l++) {
    tst1 = Math.max(tst1, Math.abs(d[l]) + Math.abs(e[l]));
    let m = l;
    while (m < n) {
      if (Math.abs(e[m]) <= eps * tst1) break;
      m++;
    }
    if (m > l) {
      do {
        let g = d[l];
        let p = (d[l + 1] - g) / (2 * e[l]);
        let r = Math.sqrt(p * p + 1);
        if (p < 0) r = -r;
        d[l] = e[l] / (p + r);
        d[l + 1] = e[l] * (p + r);
        const dl1 = d[l + 1];
        let h = g - d[l];
        for (let i = l + 2; i < n; i++) d[i] -= h;
        f += h;
        p = d[m];
        let c = 1,
          c2 = c,
          c3 = c;
        const el1 = e[l + 1];
        let s = 0,
          s2 = 0;
        for (let i = m - 1; i >= l; i--) {
          c3 = c2;
          c2 = c;
          s2 = s;
          g = c * e[i];
          h = c * p;
          r = Math.sqrt(p * p + e[i] * e[i]);
          e[i + 1] = s * r;
          s = e[i] / r;
          c = p / r;
          p = c * d[i] - s * g;
          d[i + 1] = h + s * (c * g + s * d[i]);
          for (let k = 0; k < n; k++) {
            h = V[k * n + i + 1];
            V[k * n + i + 1] = s * V[k * n + i] + c * h;
            V[k * n + i] = c * V[k * n + i] - s * h;
          }
        }
        p = (-s * s2 * c3 * el1 * e[l]) / dl1;
        e[l] = s * p;
        d[l] = c * p;
      } while (Math.abs(e[l]) > eps * tst1);
    }
    d[l] += f;
    e[l] = 0;
  }
  return { values: d, vectors: V };
}
