/* The options of a prediction as a caller gives them: whole, with the transmitters that they point to. */
#include "base/options.h"
#include "models/engine/model.h"

rw_status rw_predict_options_take(rw_context *context, const rw_predict_options *given, rw_predict_options *options,
                                  rw_transmitter **room)
{
    rw_predict_options_init(options);
    *room = NULL;
    RW_TRY(RW_TAKE(context, given, options));
    RW_TRY(rw_predict_options_settle(context, options));
    if (!options->transmitters)
        options->transmitter_count = 0;
    return rw_transmitters_take(context, options->transmitters, options->transmitter_count, &options->transmitters,
                                room);
}
