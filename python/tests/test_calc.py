"""One number at a time, against closed forms; every call of the C interface is reached."""

import math
import pathlib
import re

import pytest

import rasterwave as rw
from rasterwave import _abi, calc

hypothesis = pytest.importorskip("hypothesis")
from hypothesis import given, strategies as st  # noqa: E402


MADE = ("_abi.py", "_records.py")


@given(st.floats(5, 1e5), st.floats(1e8, 1e11))
def test_free_space(distance_m, freq_hz):
    assert calc.free_space(distance_m, freq_hz).loss_db == pytest.approx(
        20 * math.log10(4 * math.pi * distance_m * freq_hz / 299792458), abs=1e-9
    )


@given(st.floats(0.01, 1), st.floats(0, 89))
def test_slabs_are_passive(thickness_m, angle_deg):
    result = calc.slab([("itu_concrete", thickness_m)], 2e9, angle_deg)
    assert 0 <= result.absorbed_te <= 1 and abs(result.reflection_te) <= 1


def test_others():
    assert calc.knife_edge(0.0).loss_db == pytest.approx(6.02, abs=0.01)
    assert calc.knife_edge_nu(3e8, 10, 1000, 1000) == pytest.approx(10 * math.sqrt(2 / 0.999308 * 2 / 1000), rel=1e-3)
    assert calc.material("itu_concrete", 1e9).permittivity.real == pytest.approx(5.24, abs=0.01)
    assert calc.antenna(antenna="dipole").gain_dbi == pytest.approx(2.15, abs=0.01)
    assert calc.scatter(scattering=0.5).scattered_fraction == 0.25
    assert calc.two_ray(freq_hz=1e9, first_height_m=30, second_height_m=2, distance_m=500).direct_m > 500
    assert calc.wedge(
        freq_hz=1e9, source_m=50, source_angle_deg=30, observer_m=50, observer_angle_deg=250
    ).line_of_sight == 0
    assert calc.air(freq_hz=60e9).oxygen_db_km > 10
    assert calc.foliage(10, 2e9).loss_db > 0
    assert calc.site_general(method="cost_hata", freq_hz=1.8e9, distance_m=1000, base_height_m=40).nlos_db > 100
    hill = calc.terrain([0, 5000, 10000], [0, 100, 0], 8e8)
    assert hill.line_of_sight == 0 and hill.loss_db == pytest.approx(hill.free_space_db + hill.diffraction_db)
    with pytest.raises(rw.BadCallError, match="there are"):
        calc.wedge(nothing=1)


def test_view_through_a_slab():
    view = calc.slab([("itu_concrete", 0.3)], 2e9, angle_deg=30, source_distance_m=2)
    assert 0 < view.view_shift_m < 0.3 and abs(view.misalignment_deg) < 5
    assert calc.slab([("itu_concrete", 0.3)], 2e9, 30, 2, 0.1).view_shift_m == pytest.approx(0.1)
    assert math.isnan(calc.slab([("itu_concrete", 0.3)], 2e9).view_shift_m)


def test_every_call_is_used():
    """The package leaves out what it does itself, and nothing else."""
    left_out = {
        "rw_budgets_count",  # link budgets are read as JSON
        "rw_budgets_get",
        "rw_budgets_get_row",
        "rw_budgets_paths",
        "rw_inputs_find_changed",  # for servers, which hold scenes open while files change
        "rw_inputs_stop",
        "rw_paths_get_vertex",  # vertices are read as one block
        "rw_predict_options_init_sized",  # the call with a model does the same
        "rw_transmitter_init_sized",  # all fields are given
        "rw_version_number",
        "rw_write_file",
        "rw_remove_unfinished",
        "rw_sites_load_good_sized",  # both by the call with options
        "rw_sites_load_sized",
    }
    text = "".join(path.read_text() for path in pathlib.Path(rw.__file__).parent.glob("*.py") if path.name not in MADE)
    used = set(re.findall(r"\brw_\w+", text)) | {f"rw_calc_{name}" for name in dir(calc)}
    used |= {f"rw_{name}_options_init_sized" for name in dir(calc)}
    missing = set(_abi.FUNCTIONS) - used - left_out
    assert not missing, sorted(missing)


# Structs whose fields are keywords by their own names, or options by name.
BY_NAME = ("predict", "preprocess", "plan", "evaluate", "calibrate", "air", "terrain_loss", "wedge", "two_ray", "site_general", "scatter", "calc_antenna")


def test_every_option_can_be_given():
    text = "".join(path.read_text() for path in pathlib.Path(rw.__file__).parent.glob("*.py") if path.name not in MADE)
    words = set(re.findall(r"\w+", re.sub(r'\{end\}(_\w+)', r"rx\1 tx\1", text)))
    structs = {name[3:-8]: struct for name, struct in vars(_abi).items() if name.endswith("_options")}
    fields = {(name, field) for name, struct in structs.items() if name not in BY_NAME for field, _ in struct._fields_}
    left_out = {
        ("sites", "on_skipped"),  # such lines are warnings
        ("context", "on_estimate"),  # estimate() returns it
        ("network", "scene_name"),  # the content of the scene's files says more
    }
    assert len(structs) > 25 and not {(name, field) for name, field in fields if field not in words} - left_out
