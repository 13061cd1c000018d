"""Rows of bench/scaling.sh for Dask: one and two workers of one thread. Usage: scaling_dask.py RADIUS_M FOLDER_OF_THE_SAME_NETWORK"""

import glob
import os
import resource
import sys
import time

import numpy as np

try:
    import distributed
    import rasterwave as rw
    import rasterwave.dask
except ImportError as error:
    print(f"Dask: skipped, {error}")
    sys.exit(0)


def worker_peak():
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * 1024


def measure(workers, radius, names):
    """Seconds, the largest memory of a worker in bytes and that of one before any task, and the arrays of the layers."""
    with distributed.LocalCluster(n_workers=workers, threads_per_worker=1, memory_limit="2GB", dashboard_address=None) as cluster:
        with distributed.Client(cluster) as client:
            client.run(lambda: __import__("rasterwave.dask"))  # importing libraries is not what grows with workers
            before = max(client.run(worker_peak).values())
            begun = time.perf_counter()
            net = rw.dask.network(
                "city.gpkg", "sites.csv", client, res=10, radius=radius, layers=names, block=256, skip_bad=True
            )
            values = {name: net[name].values for name in names}
            seconds = time.perf_counter() - begun
            return seconds, max(client.run(worker_peak).values()), before, values


def main():
    radius, folder = float(sys.argv[1]), sys.argv[2]
    names = ["best", "strongest"]
    one, peak, before, expected = measure(1, radius, names)
    two, peak2, _, found = measure(2, radius, names)
    for label, seconds, memory in (("one Dask worker", one, peak), ("two Dask workers", two, peak2)):
        print(f"{label:<28} {seconds:8.1f} s {one / seconds:6.2f} times {memory / 1e6:6.0f} MB a worker ({before / 1e6:.0f} MB of it Python)")
    for name in names:
        np.testing.assert_array_equal(expected[name], found[name])
        compare_raster(folder, name, expected[name])
    print("the same values from processes and Dask")


def compare_raster(folder, name, values):
    """Values of the raster that merge wrote, whose rows begin in the north."""
    rasterio = sys.modules.get("rasterio") or __import__("rasterio")
    path = next(each for suffix in (".vrt", ".tif") for each in glob.glob(os.path.join(folder, name + suffix)))
    with rasterio.open(path) as raster:
        written = raster.read(1)[::-1]
        written = np.where(written == raster.nodata, np.nan, written)
    np.testing.assert_array_equal(np.where(np.isfinite(values), values, np.nan), written)


if __name__ == "__main__":  # workers import this file
    main()
